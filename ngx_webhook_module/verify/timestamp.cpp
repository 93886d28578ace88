#include "ngx_webhook_module/verify/timestamp.h"

#include <time.h>

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

bool parse_digits(std::string_view text, size_t max_digits, int64_t* value) {
  if (text.empty() || text.size() > max_digits) return false;
  *value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    *value = *value * 10 + (c - '0');
  }
  return true;
}

// Takes `digits` digits, then `after` if it is not 0.
bool take_number(std::string_view* text, size_t digits, char after, int* value) {
  int64_t number;
  if (text->size() < digits || !parse_digits(slice(*text, 0, digits), digits, &number)) {
    return false;
  }
  text->remove_prefix(digits);
  *value = static_cast<int>(number);
  if (after == 0) return true;
  if (text->empty() || text->front() != after) return false;
  text->remove_prefix(1);
  return true;
}

// timegm() would turn 31 February into 3 March.
bool in_calendar(const tm& t) {
  tm day = {};
  day.tm_year = t.tm_year;
  day.tm_mon = t.tm_mon;
  day.tm_mday = t.tm_mday;
  timegm(&day);
  return day.tm_mon == t.tm_mon && day.tm_mday == t.tm_mday && t.tm_hour < 24 && t.tm_min < 60 &&
         t.tm_sec <= 60;
}

int take_fraction_ms(std::string_view* text) {
  int ms = 0;
  int scale = 100;
  text->remove_prefix(1);
  while (!text->empty() && is_digit(text->front())) {
    ms += (text->front() - '0') * scale;
    scale /= 10;
    text->remove_prefix(1);
  }
  return ms;
}

bool parse_offset(std::string_view text, int* minutes) {
  if (text == "Z" || text == "z") {
    *minutes = 0;
    return true;
  }
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return false;
  const bool west = text[0] == '-';
  text.remove_prefix(1);
  int hours, mins;
  if (!take_number(&text, 2, ':', &hours) || !take_number(&text, 2, 0, &mins)) return false;
  if (hours > 23 || mins > 59) return false;
  *minutes = (hours * 60 + mins) * (west ? -1 : 1);
  return true;
}

bool parse_rfc3339(std::string_view text, int64_t* unix_ms) {
  tm t = {};
  if (!take_number(&text, 4, '-', &t.tm_year) || !take_number(&text, 2, '-', &t.tm_mon) ||
      !take_number(&text, 2, 0, &t.tm_mday)) {
    return false;
  }
  if (text.empty() || to_lower(text.front()) != 't') return false;
  text.remove_prefix(1);
  if (!take_number(&text, 2, ':', &t.tm_hour) || !take_number(&text, 2, ':', &t.tm_min) ||
      !take_number(&text, 2, 0, &t.tm_sec)) {
    return false;
  }
  t.tm_year -= 1900;
  t.tm_mon -= 1;
  const bool fraction = text.size() > 1 && text[0] == '.' && is_digit(text[1]);
  const int ms = fraction ? take_fraction_ms(&text) : 0;
  int offset_minutes;
  if (!in_calendar(t) || !parse_offset(text, &offset_minutes)) return false;
  *unix_ms = (static_cast<int64_t>(timegm(&t)) - offset_minutes * 60) * 1000 + ms;
  return true;
}

}  // namespace

bool parse_time(std::string_view text, TimeUnit unit, int64_t* unix_ms) {
  switch (unit) {
    case TimeUnit::kSeconds:
      if (!parse_digits(text, 12, unix_ms)) return false;
      *unix_ms *= 1000;
      return true;
    case TimeUnit::kMilliseconds: return parse_digits(text, 15, unix_ms);
    case TimeUnit::kRfc3339: return parse_rfc3339(text, unix_ms);
    case TimeUnit::kNone: break;
  }
  return false;
}

Reason check_window(int64_t signed_ms, int64_t now_ms, Tolerance tolerance) {
  if (signed_ms < now_ms - tolerance.past_s * 1000) return Reason::kStale;
  if (signed_ms > now_ms + tolerance.future_s * 1000) return Reason::kFuture;
  return Reason::kNone;
}

bool parse_duration(std::string_view text, int64_t* seconds) {
  int64_t unit = 1;
  if (!text.empty() && !is_digit(text.back())) {
    switch (text.back()) {
      case 's': unit = 1; break;
      case 'm': unit = 60; break;
      case 'h': unit = 60 * 60; break;
      case 'd': unit = 24 * 60 * 60; break;
      default: return false;
    }
    text.remove_suffix(1);
  }
  constexpr int64_t kHundredYears = int64_t{36525} * 24 * 60 * 60;
  if (!parse_digits(text, 10, seconds)) return false;
  *seconds *= unit;
  return *seconds <= kHundredYears;
}

}  // namespace webhook
