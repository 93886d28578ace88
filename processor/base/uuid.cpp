#include "processor/base/uuid.h"

#include "processor/crypto/random.h"

namespace webhook {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

bool is_dash(size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Uuid make_uuid7(int64_t unix_ms) {
  Uuid id;
  fill_random(id);
  const auto ms = static_cast<uint64_t>(unix_ms);
  for (int i = 0; i < 6; ++i) {
    id[i] = static_cast<uint8_t>(ms >> (8 * (5 - i)));
  }
  id[6] = static_cast<uint8_t>(0x70 | (id[6] & 0x0f));
  id[8] = static_cast<uint8_t>(0x80 | (id[8] & 0x3f));
  return id;
}

std::string uuid_text(const Uuid& id) {
  std::string text;
  text.reserve(36);
  for (const uint8_t byte : id) {
    if (is_dash(text.size())) text.push_back('-');
    text.push_back(kHexDigits[byte >> 4]);
    text.push_back(kHexDigits[byte & 0x0f]);
  }
  return text;
}

std::optional<Uuid> parse_uuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid id{};
  size_t digits = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_dash(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int value = hex_value(text[i]);
    if (value < 0) return std::nullopt;
    id[digits / 2] = static_cast<uint8_t>((id[digits / 2] << 4) | value);
    ++digits;
  }
  return id;
}

}  // namespace webhook
