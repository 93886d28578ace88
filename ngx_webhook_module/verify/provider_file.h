// Provider files read without NGINX, word for word as NGINX reads them.
#ifndef WEBHOOK_VERIFY_PROVIDER_FILE_H_
#define WEBHOOK_VERIFY_PROVIDER_FILE_H_

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// Calls `visit` for every `webhook_provider NAME { ... }` of `text`. The
// sentence of an error starts with the number of the line.
bool read_provider_file(std::string_view text, const Arena& arena,
                        void (*visit)(void* context, const Provider& provider), void* context,
                        ConfigError* error);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_PROVIDER_FILE_H_
