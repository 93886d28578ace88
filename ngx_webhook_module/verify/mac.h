// Keyed digests over pieces of memory.
#ifndef WEBHOOK_VERIFY_MAC_H_
#define WEBHOOK_VERIFY_MAC_H_

#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace webhook {

enum class MacAlgorithm : uint8_t { kHmacSha1, kHmacSha256, kHmacSha512 };

constexpr size_t kMaxMacSize = 64;

constexpr size_t mac_size(MacAlgorithm algorithm) {
  switch (algorithm) {
    case MacAlgorithm::kHmacSha1: return 20;
    case MacAlgorithm::kHmacSha256: return 32;
    case MacAlgorithm::kHmacSha512: return 64;
  }
  return 0;
}

// A key schedule made once and used for one message after another, by one
// thread at a time. Owns OpenSSL memory until destroy().
class MacKey {
 public:
  // False when OpenSSL refuses, or is one of those before 3.0.3 whose keyed
  // contexts cannot be used again (they compute a wrong digest in silence).
  bool init(MacAlgorithm algorithm, std::string_view key);
  void destroy();

  bool begin();
  bool update(std::string_view piece);
  // Writes mac_size() bytes.
  bool finish(uint8_t out[kMaxMacSize]);

 private:
  bool digest_of(std::string_view message, uint8_t out[kMaxMacSize]);

  EVP_MAC_CTX* context_ = nullptr;
};

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_MAC_H_
