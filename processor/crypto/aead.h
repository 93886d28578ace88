// AES-256-GCM and HMAC-SHA256 by OpenSSL.
#ifndef WEBHOOK_PROCESSOR_CRYPTO_AEAD_H_
#define WEBHOOK_PROCESSOR_CRYPTO_AEAD_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "processor/crypto/secret_key.h"

namespace webhook {

using Nonce = std::array<uint8_t, 12>;
using Digest = std::array<uint8_t, 32>;

constexpr size_t kTagBytes = 16;

// Appends the ciphertext and its tag to `out`. A nonce must never be used
// twice under one key. Aborts when OpenSSL fails, which only a broken
// installation makes it do.
void aead_seal(const SecretKey& key, const Nonce& nonce, std::string_view aad,
               std::string_view plaintext, std::string& out);

// Nothing when key, nonce, aad or a byte of `sealed` is not as it was sealed.
std::optional<std::string> aead_open(const SecretKey& key, const Nonce& nonce, std::string_view aad,
                                     std::string_view sealed);

Digest hmac_sha256(const SecretKey& key, std::string_view message);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_AEAD_H_
