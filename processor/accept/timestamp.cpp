#include "processor/accept/timestamp.h"

#include <charconv>
#include <chrono>

namespace webhook {
namespace {

// Whole numbers with more digits are no time, and would overflow.
constexpr size_t kMaxDigits = 15;

std::optional<int64_t> take_digits(std::string_view& text, size_t count) {
  if (text.size() < count) return std::nullopt;
  int64_t value = 0;
  const char* const end = text.data() + count;
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < 0 || text.front() == '-') {
    return std::nullopt;
  }
  text.remove_prefix(count);
  return value;
}

bool take_char(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

size_t count_digits(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  return end == text.npos ? text.size() : end;
}

// ".25" as 250; an absent fraction as 0.
std::optional<int64_t> take_fraction_ms(std::string_view& text) {
  if (!take_char(text, ".")) return 0;
  const size_t digits = count_digits(text);
  if (digits == 0) return std::nullopt;
  int64_t ms = 0;
  for (size_t i = 0; i < 3; ++i) {
    ms = ms * 10 + (i < digits ? text[i] - '0' : 0);
  }
  text.remove_prefix(digits);
  return ms;
}

std::optional<int64_t> parse_number(std::string_view text, int64_t scale) {
  const size_t digits = count_digits(text);
  if (digits == 0 || digits > kMaxDigits) return std::nullopt;
  const auto whole = take_digits(text, digits);
  const auto fraction = take_fraction_ms(text);
  if (!whole || !fraction || !text.empty()) return std::nullopt;
  return *whole * scale + (scale == 1 ? 0 : *fraction);
}

// "2026-01-31" as Unix days.
std::optional<int64_t> take_date(std::string_view& text) {
  const auto year = take_digits(text, 4);
  if (!year || !take_char(text, "-")) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take_char(text, "-")) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// "12:34" as minutes.
std::optional<int64_t> take_minutes(std::string_view& text) {
  const auto hours = take_digits(text, 2);
  if (!hours || *hours > 23 || !take_char(text, ":")) return std::nullopt;
  const auto minutes = take_digits(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return *hours * 60 + *minutes;
}

// "Z" or "+02:00", in minutes.
std::optional<int64_t> take_zone(std::string_view& text) {
  if (take_char(text, "Zz")) return 0;
  const bool west = text.starts_with('-');
  if (!take_char(text, "+-")) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes) return std::nullopt;
  return west ? -*minutes : *minutes;
}

std::optional<int64_t> parse_rfc3339(std::string_view text) {
  const auto days = take_date(text);
  if (!days || !take_char(text, "Tt ")) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes || !take_char(text, ":")) return std::nullopt;
  const auto seconds = take_digits(text, 2);
  if (!seconds || *seconds > 60) return std::nullopt;  // 60: a leap second
  const auto fraction = take_fraction_ms(text);
  if (!fraction) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return ((*days * 24 * 60 + *minutes - *zone) * 60 + *seconds) * 1000 + *fraction;
}

}  // namespace

std::optional<int64_t> parse_timestamp(std::string_view text, v1::TimeUnit unit) {
  switch (unit) {
    case v1::TIME_UNIT_SECONDS: return parse_number(text, 1000);
    case v1::TIME_UNIT_MILLISECONDS: return parse_number(text, 1);
    case v1::TIME_UNIT_RFC3339: return parse_rfc3339(text);
    default: return std::nullopt;
  }
}

}  // namespace webhook
