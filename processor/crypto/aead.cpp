#include "processor/crypto/aead.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdlib>
#include <memory>

namespace webhook {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

// Fetched once: a look-up by name at every message costs more than a small
// encryption.
const EVP_CIPHER* cipher() {
  static EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  return fetched;
}

void require(bool ok) {
  if (!ok) std::abort();
}

uint8_t* bytes_of(std::string& text) {
  return reinterpret_cast<uint8_t*>(text.data());
}

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

int size_of(std::string_view text) {
  return static_cast<int>(text.size());
}

}  // namespace

void aead_seal(const SecretKey& key, const Nonce& nonce, std::string_view aad,
               std::string_view plaintext, std::string& out) {
  const size_t begin = out.size();
  out.resize(begin + plaintext.size() + kTagBytes);
  uint8_t* const to = bytes_of(out) + begin;
  const Context context(EVP_CIPHER_CTX_new());
  int done = 0;
  require(
      context &&
      EVP_EncryptInit_ex2(context.get(), cipher(), key.data(), nonce.data(), nullptr) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &done, bytes_of(aad), size_of(aad)) == 1 &&
      EVP_EncryptUpdate(context.get(), to, &done, bytes_of(plaintext), size_of(plaintext)) == 1 &&
      EVP_EncryptFinal_ex(context.get(), to + done, &done) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes, to + plaintext.size()) ==
          1);
}

std::optional<std::string> aead_open(const SecretKey& key, const Nonce& nonce, std::string_view aad,
                                     std::string_view sealed) {
  if (sealed.size() < kTagBytes) return std::nullopt;
  const std::string_view ciphertext = sealed.substr(0, sealed.size() - kTagBytes);
  std::string tag(sealed.substr(ciphertext.size()));
  std::string plaintext(ciphertext.size(), '\0');
  const Context context(EVP_CIPHER_CTX_new());
  int done = 0;
  require(context &&
          EVP_DecryptInit_ex2(context.get(), cipher(), key.data(), nonce.data(), nullptr) == 1 &&
          EVP_DecryptUpdate(context.get(), nullptr, &done, bytes_of(aad), size_of(aad)) == 1 &&
          EVP_DecryptUpdate(context.get(), bytes_of(plaintext), &done, bytes_of(ciphertext),
                            size_of(ciphertext)) == 1 &&
          EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) == 1);
  if (EVP_DecryptFinal_ex(context.get(), bytes_of(plaintext) + done, &done) != 1) {
    OPENSSL_cleanse(plaintext.data(), plaintext.size());
    return std::nullopt;
  }
  return plaintext;
}

Digest hmac_sha256(const SecretKey& key, std::string_view message) {
  Digest digest{};
  unsigned int size = 0;
  require(HMAC(EVP_sha256(), key.data(), SecretKey::kSize, bytes_of(message), message.size(),
               digest.data(), &size) != nullptr);
  return digest;
}

}  // namespace webhook
