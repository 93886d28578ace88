// The values of an event, found as the processor finds them.
#ifndef WEBHOOK_WEBHOOKCTL_EVENT_FIELDS_H_
#define WEBHOOK_WEBHOOKCTL_EVENT_FIELDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "ngx_webhook_module/verify/headers.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// The first choice of `field` that is present; empty text counts as missing, as
// does all JSON of a body that is not one JSON text.
std::optional<std::string> read_field(const Field& field, Headers headers, std::string_view body);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_EVENT_FIELDS_H_
