// What must hold of a whole provider, whatever order its directives came in.
#ifndef WEBHOOK_VERIFY_PROVIDER_CHECK_H_
#define WEBHOOK_VERIFY_PROVIDER_CHECK_H_

#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// Fills `named_headers` on the way.
bool check_provider(Provider* provider, ConfigError* error);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_PROVIDER_CHECK_H_
