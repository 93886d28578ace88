#include "webhookctl/encode.h"

#include <openssl/evp.h>

#include <algorithm>
#include <vector>

namespace webhook {
namespace {

std::string encode_hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string encode_base64(std::span<const uint8_t> bytes) {
  // OpenSSL adds a NUL.
  std::vector<unsigned char> text((bytes.size() + 2) / 3 * 4 + 1);
  EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(bytes.size()));
  return std::string(text.begin(), text.end() - 1);
}

std::string encode_base64url(std::span<const uint8_t> bytes) {
  std::string text = encode_base64(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

}  // namespace

std::string encode(Encoding encoding, std::span<const uint8_t> bytes) {
  switch (encoding) {
    case Encoding::kHex: return encode_hex(bytes);
    case Encoding::kBase64: return encode_base64(bytes);
    case Encoding::kBase64Url: return encode_base64url(bytes);
  }
  return {};
}

}  // namespace webhook
