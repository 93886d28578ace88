#include "webhookctl/time_text.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace webhook {

int64_t unix_now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string rfc3339(int64_t unix_ms) {
  const int64_t ms = ((unix_ms % 1000) + 1000) % 1000;
  const auto seconds = static_cast<std::time_t>((unix_ms - ms) / 1000);
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  char text[64];
  std::string result(text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc));
  if (ms != 0) {
    std::snprintf(text, sizeof(text), ".%03d", static_cast<int>(ms));
    result += text;
  }
  return result + "Z";
}

std::string format_time(int64_t unix_ms, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds: return std::to_string(unix_ms / 1000);
    case TimeUnit::kMilliseconds: return std::to_string(unix_ms);
    case TimeUnit::kRfc3339: return rfc3339(unix_ms);
    case TimeUnit::kNone: break;
  }
  return {};
}

std::string format_duration(int64_t seconds) {
  constexpr struct {
    int64_t seconds;
    char letter;
  } kUnits[] = {{24 * 60 * 60, 'd'}, {60 * 60, 'h'}, {60, 'm'}};
  for (const auto& unit : kUnits) {
    if (seconds != 0 && seconds % unit.seconds == 0) {
      return std::to_string(seconds / unit.seconds) + unit.letter;
    }
  }
  return std::to_string(seconds) + "s";
}

bool parse_since(std::string_view text, int64_t now_ms, int64_t* unix_ms) {
  if (parse_time(text, TimeUnit::kRfc3339, unix_ms)) return true;
  int64_t seconds = 0;
  if (!parse_duration(text, &seconds)) return false;
  *unix_ms = now_ms - seconds * 1000;
  return true;
}

}  // namespace webhook
