#include "ngx_webhook_module/verify/encoding.h"

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c = to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int base64_value(char c, bool url) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_digit(c)) return c - '0' + 52;
  if (c == (url ? '-' : '+')) return 62;
  if (c == (url ? '_' : '/')) return 63;
  return -1;
}

bool decode_hex(std::string_view text, uint8_t* out, size_t capacity, size_t* size) {
  if (text.size() % 2 != 0 || text.size() / 2 > capacity) return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return false;
    out[i / 2] = static_cast<uint8_t>(high << 4 | low);
  }
  *size = text.size() / 2;
  return true;
}

// "QQ==" and "QQ" are both well formed, "QQ=" is not.
bool strip_padding(std::string_view* text) {
  if (text->empty() || text->back() != '=') return text->size() % 4 != 1;
  if (text->size() % 4 != 0) return false;
  text->remove_suffix(1);
  if (text->back() == '=') text->remove_suffix(1);
  return true;
}

bool decode_base64(std::string_view text, bool url, uint8_t* out, size_t capacity, size_t* size) {
  if (!strip_padding(&text)) return false;
  uint32_t bits = 0;
  unsigned held = 0;
  size_t written = 0;
  for (const char c : text) {
    const int value = base64_value(c, url);
    if (value < 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      if (written == capacity) return false;
      out[written++] = static_cast<uint8_t>(bits >> held);
    }
  }
  if ((bits & ((1u << held) - 1)) != 0) return false;
  *size = written;
  return true;
}

}  // namespace

bool decode(Encoding encoding, std::string_view text, uint8_t* out, size_t capacity, size_t* size) {
  switch (encoding) {
    case Encoding::kHex: return decode_hex(text, out, capacity, size);
    case Encoding::kBase64: return decode_base64(text, false, out, capacity, size);
    case Encoding::kBase64Url: return decode_base64(text, true, out, capacity, size);
  }
  return false;
}

}  // namespace webhook
