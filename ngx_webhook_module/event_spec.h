// What the processor has to know of a provider, encoded once.
#ifndef NGX_WEBHOOK_EVENT_SPEC_H_
#define NGX_WEBHOOK_EVENT_SPEC_H_

#include <string_view>

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// A webhook.v1.EventSpec; data() is nullptr when there is no memory.
std::string_view encode_event_spec(const Provider& provider, const Arena& arena);

}  // namespace webhook

#endif  // NGX_WEBHOOK_EVENT_SPEC_H_
