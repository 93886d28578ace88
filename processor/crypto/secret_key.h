#ifndef WEBHOOK_PROCESSOR_CRYPTO_SECRET_KEY_H_
#define WEBHOOK_PROCESSOR_CRYPTO_SECRET_KEY_H_

#include <openssl/crypto.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "processor/crypto/random.h"

namespace webhook {

// 256 bits that are wiped when they are let go.
class SecretKey {
 public:
  static constexpr size_t kSize = 32;

  SecretKey() = default;
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

  static SecretKey random() {
    SecretKey key;
    fill_random(key.bytes_);
    return key;
  }

  // `bytes` must have kSize bytes.
  static SecretKey from_bytes(std::string_view bytes) {
    SecretKey key;
    std::memcpy(key.bytes_.data(), bytes.data(), kSize);
    return key;
  }

  const uint8_t* data() const { return bytes_.data(); }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_.data()), kSize}; }

 private:
  std::array<uint8_t, kSize> bytes_{};
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_SECRET_KEY_H_
