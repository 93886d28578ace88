// The secrets of an endpoint, as a file holds them:
//
//     # newest first
//     2026-11 whsec_...
//     2026-05 whsec_...  until=2026-12-01T00:00:00Z
//
// A line each: VERSION SECRET [from=RFC3339] [until=RFC3339]; '#' only at the
// start of a line; every line after the first must have until=.
#ifndef WEBHOOK_VERIFY_SECRETS_H_
#define WEBHOOK_VERIFY_SECRETS_H_

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

constexpr size_t kMaxSecretFileSize = 64 * 1024;

struct Secret {
  std::string_view version;
  int64_t from_ms;   // valid from here on, Unix time
  int64_t until_ms;  // valid up to here, this moment not included
  size_t size;       // bytes of the key after decoding
  MacKey key;

  bool valid_at(int64_t now_ms) const { return from_ms <= now_ms && now_ms < until_ms; }
};

struct SecretSet {
  static constexpr size_t kMax = 8;
  size_t count = 0;
  Secret secrets[kMax];

  // Frees the keys; the set is then empty.
  void destroy();
};

// `min_bytes` is the shortest key accepted after decoding. The sentence names
// the line and never holds a secret. On false the set is empty.
bool parse_secrets(std::string_view file, const Provider& provider, size_t min_bytes,
                   const Arena& arena, SecretSet* set, ConfigError* error);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_SECRETS_H_
