#include "ngx_webhook_module/verify/mac.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <string.h>

namespace webhook {
namespace {

const char* digest_name(MacAlgorithm algorithm) {
  switch (algorithm) {
    case MacAlgorithm::kHmacSha1: return "SHA1";
    case MacAlgorithm::kHmacSha256: return "SHA256";
    case MacAlgorithm::kHmacSha512: return "SHA512";
  }
  return "";
}

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

// An error left in the queue is reported by NGINX as that of another connection.
bool checked(int result) {
  if (result == 1) return true;
  ERR_clear_error();
  return false;
}

}  // namespace

bool MacKey::init(MacAlgorithm algorithm, std::string_view key) {
  EVP_MAC* hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  if (hmac != nullptr) context_ = EVP_MAC_CTX_new(hmac);
  EVP_MAC_free(hmac);
  if (context_ == nullptr) return checked(0);

  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST,
                                       const_cast<char*>(digest_name(algorithm)), 0),
      OSSL_PARAM_construct_end()};
  if (!checked(EVP_MAC_init(context_, bytes_of(key), key.size(), params))) return false;

  uint8_t first[kMaxMacSize] = {};
  uint8_t second[kMaxMacSize] = {};
  const bool usable = update("again") && finish(first) && digest_of("again", second);
  return usable && memcmp(first, second, sizeof(first)) == 0;
}

void MacKey::destroy() {
  EVP_MAC_CTX_free(context_);
  context_ = nullptr;
}

bool MacKey::begin() {
  return checked(EVP_MAC_init(context_, nullptr, 0, nullptr));
}

bool MacKey::update(std::string_view piece) {
  return piece.empty() || checked(EVP_MAC_update(context_, bytes_of(piece), piece.size()));
}

bool MacKey::finish(uint8_t out[kMaxMacSize]) {
  size_t size = 0;
  return checked(EVP_MAC_final(context_, out, &size, kMaxMacSize));
}

bool MacKey::digest_of(std::string_view message, uint8_t out[kMaxMacSize]) {
  return begin() && update(message) && finish(out);
}

}  // namespace webhook
