#include "processor/base/utf8.h"

#include <cstdint>

namespace webhook {
namespace {

bool in_range(uint8_t byte, uint8_t low, uint8_t high) {
  return byte >= low && byte <= high;
}

// Bounds of the second byte that shut out overlong forms, surrogates and code
// points past U+10FFFF (table 3-7 of the Unicode standard).
bool is_second_byte(uint8_t lead, uint8_t second) {
  switch (lead) {
    case 0xe0: return in_range(second, 0xa0, 0xbf);
    case 0xed: return in_range(second, 0x80, 0x9f);
    case 0xf0: return in_range(second, 0x90, 0xbf);
    case 0xf4: return in_range(second, 0x80, 0x8f);
    default: return in_range(second, 0x80, 0xbf);
  }
}

size_t length_by_lead(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (in_range(lead, 0xc2, 0xdf)) return 2;
  if (in_range(lead, 0xe0, 0xef)) return 3;
  if (in_range(lead, 0xf0, 0xf4)) return 4;
  return 0;
}

}  // namespace

size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const size_t length = length_by_lead(byte(0));
  if (length <= 1) return length;
  if (text.size() < length || !is_second_byte(byte(0), byte(1))) return 0;
  for (size_t i = 2; i < length; ++i) {
    if (!in_range(byte(i), 0x80, 0xbf)) return 0;
  }
  return length;
}

}  // namespace webhook
