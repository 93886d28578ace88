// Times as text, in both directions.
#ifndef WEBHOOK_WEBHOOKCTL_TIME_TEXT_H_
#define WEBHOOK_WEBHOOKCTL_TIME_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "ngx_webhook_module/verify/timestamp.h"

namespace webhook {

// The end of the year 9999, after which RFC 3339 has no times.
constexpr int64_t kMaxUnixSeconds = 253402300799;

// Now, in Unix milliseconds.
int64_t unix_now_ms();

// "2026-12-01T00:00:00Z", with three digits of a fraction when there is one.
std::string rfc3339(int64_t unix_ms);

// What parse_time() of the verify library reads; `unit` is not kNone.
std::string format_time(int64_t unix_ms, TimeUnit unit);

// Shorter text for people: "90s", "5m", "30d".
std::string format_duration(int64_t seconds);

// A moment in RFC 3339, or how long before `now_ms` ("2h"). False for anything
// else.
bool parse_since(std::string_view text, int64_t now_ms, int64_t* unix_ms);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_TIME_TEXT_H_
