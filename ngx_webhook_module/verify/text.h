// What this folder needs of string_view without the C++ runtime (substr() and
// at() would pull in its exceptions).
#ifndef WEBHOOK_VERIFY_TEXT_H_
#define WEBHOOK_VERIFY_TEXT_H_

#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace webhook {

constexpr std::string_view slice(std::string_view text, size_t from,
                                 size_t to = std::string_view::npos) {
  if (to > text.size()) to = text.size();
  if (from > to) from = to;
  return {text.data() + from, to - from};
}

constexpr bool starts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && slice(text, 0, prefix.size()) == prefix;
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

constexpr std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Splits off what stands before the first `separator`; all of it when there is
// none. `rest` loses what was taken, the separator included.
constexpr std::string_view take_until(std::string_view* rest, char separator) {
  const size_t end = rest->find(separator);
  const std::string_view head = slice(*rest, 0, end);
  *rest = end == std::string_view::npos ? std::string_view() : slice(*rest, end + 1);
  return head;
}

// The name of a provider or of the version of a secret.
constexpr bool is_name(std::string_view text) {
  for (const char c : text) {
    if (!is_alphanumeric(c) && c != '.' && c != '_' && c != '-') return false;
  }
  return !text.empty() && text.size() <= 64;
}

constexpr bool is_printable_ascii(std::string_view text) {
  for (const char c : text) {
    if (c < 0x20 || c > 0x7e) return false;
  }
  return true;
}

// RFC 3629: the shortest form, no surrogates, nothing past U+10FFFF.
constexpr bool is_valid_utf8(std::string_view text) {
  constexpr uint32_t kFirst[] = {0, 0x80, 0x800, 0x10000};  // by bytes that follow
  for (size_t i = 0; i < text.size();) {
    const uint8_t lead = static_cast<uint8_t>(text[i++]);
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    const unsigned following = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    uint32_t point = lead & (0x3fu >> following);
    for (unsigned k = 0; k < following; ++k, ++i) {
      if (i == text.size() || (text[i] & 0xc0) != 0x80) return false;
      point = point << 6 | (text[i] & 0x3fu);
    }
    if (point < kFirst[following] || point > 0x10ffff) return false;
    if (point >= 0xd800 && point <= 0xdfff) return false;
  }
  return true;
}

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_TEXT_H_
