#include "processor/accept/timestamp.h"

#include "ngx_webhook_module/verify/timestamp.h"

namespace webhook {
namespace {

TimeUnit unit_of(v1::TimeUnit unit) {
  switch (unit) {
    case v1::TIME_UNIT_SECONDS: return TimeUnit::kSeconds;
    case v1::TIME_UNIT_MILLISECONDS: return TimeUnit::kMilliseconds;
    case v1::TIME_UNIT_RFC3339: return TimeUnit::kRfc3339;
    default: return TimeUnit::kNone;
  }
}

}  // namespace

std::optional<int64_t> parse_timestamp(std::string_view text, v1::TimeUnit unit) {
  int64_t unix_ms = 0;
  if (!parse_time(text, unit_of(unit), &unix_ms)) return std::nullopt;
  return unix_ms;
}

}  // namespace webhook
