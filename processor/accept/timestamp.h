#ifndef WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_
#define WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "webhook.pb.h"

namespace webhook {

// Unix milliseconds. Numbers may have a fraction, which is cut to whole
// milliseconds; RFC 3339 needs its zone. Nothing for any other form.
std::optional<int64_t> parse_timestamp(std::string_view text, v1::TimeUnit unit);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_TIMESTAMP_H_
