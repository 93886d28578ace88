// Test events for any provider, made from its file alone.
#ifndef WEBHOOK_WEBHOOKCTL_SAMPLE_EVENT_H_
#define WEBHOOK_WEBHOOKCTL_SAMPLE_EVENT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ngx_webhook_module/verify/provider.h"
#include "webhookctl/header_list.h"

namespace webhook {

struct SampleEvent {
  std::string event_id;
  std::string event_type;
  int64_t created_at_ms = 0;
  // Sent as it is; without it a JSON body is made that holds the values which
  // the provider has in the body.
  std::optional<std::string> body;
};

struct EventRequest {
  HeaderList headers;
  std::string body;
};

// "evt_" and 32 random hexadecimal digits.
std::string random_event_id();

// Not signed yet. The same event gives the same bytes. Every value goes to the
// first place where the provider file looks for it. Throws Misuse for an id or
// type that cannot stand in the header it belongs in.
EventRequest make_request(const Provider& provider, const SampleEvent& event);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_SAMPLE_EVENT_H_
