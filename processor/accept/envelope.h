#ifndef WEBHOOK_PROCESSOR_ACCEPT_ENVELOPE_H_
#define WEBHOOK_PROCESSOR_ACCEPT_ENVELOPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "ngx_webhook_module/verify/reason.h"
#include "processor/accept/event_spec.h"
#include "processor/accept/json_fields.h"
#include "webhook.pb.h"

namespace webhook {

// What an event says of itself.
struct Envelope {
  std::string event_id;
  std::string event_type;
  std::string account;
  std::string object_id;
  std::string object_version;
  std::optional<int64_t> created_at_ms;
};

constexpr size_t kMaxFieldBytes = 255;

// At most kMaxFieldBytes of UTF-8 without NUL.
bool is_valid_field(std::string_view text);

// Reads the fields that `spec` names from the headers and, if it names any
// there, the body (parsed only then, with the padding that JsonFields wants).
// An empty value counts as missing. Refusals: body_malformed,
// event_id_missing, field_missing, field_invalid. A created_at that is no time
// is absent.
tl::expected<Envelope, Reason> read_envelope(const EventSpec& spec, const v1::Event& event,
                                             std::string_view body, JsonFields& json);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_ENVELOPE_H_
