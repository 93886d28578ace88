// Secret files, read when the configuration is.
#ifndef NGX_WEBHOOK_SECRET_FILE_H_
#define NGX_WEBHOOK_SECRET_FILE_H_

#include "ngx_webhook_module/ngx.h"
#include "ngx_webhook_module/verify/secrets.h"

namespace webhook {

// The keys live until the configuration's pool goes. nullptr with a sentence
// in `error` when the file cannot be read or is wrong.
SecretSet* load_secrets(ngx_conf_t* cf, const ngx_str_t& path, const Provider& provider,
                        size_t min_bytes, ConfigError* error);

}  // namespace webhook

#endif  // NGX_WEBHOOK_SECRET_FILE_H_
