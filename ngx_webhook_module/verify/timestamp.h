// Signed times, and whether they lie in the window.
#ifndef WEBHOOK_VERIFY_TIMESTAMP_H_
#define WEBHOOK_VERIFY_TIMESTAMP_H_

#include <stdint.h>

#include <string_view>

#include "ngx_webhook_module/verify/reason.h"

namespace webhook {

enum class TimeUnit : uint8_t { kNone, kSeconds, kMilliseconds, kRfc3339 };

// How far a signed time may lie behind or ahead of the clock, in seconds.
struct Tolerance {
  int64_t past_s;
  int64_t future_s;
};

// Unix milliseconds. Numbers: digits only (no sign, no blank, no fraction), at
// most 12 for seconds and 15 for milliseconds. RFC 3339: with 'T' and 'Z' or an
// offset; a fraction is cut to milliseconds. False for anything else.
bool parse_time(std::string_view text, TimeUnit unit, int64_t* unix_ms);

// kNone, kStale or kFuture; both limits belong to the window.
Reason check_window(int64_t signed_ms, int64_t now_ms, Tolerance tolerance);

// "90", "90s", "5m", "1h", "3d" in seconds; false for other text or more than
// 100 years.
bool parse_duration(std::string_view text, int64_t* seconds);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_TIMESTAMP_H_
