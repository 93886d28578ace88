#ifndef WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_
#define WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "webhook.pb.h"

namespace webhook {

// Unix milliseconds, by the rules of the signed times (verify/timestamp.h).
// Nothing for text of another form.
std::optional<int64_t> parse_timestamp(std::string_view text, v1::TimeUnit unit);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_
