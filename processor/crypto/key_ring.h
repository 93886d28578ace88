#ifndef WEBHOOK_PROCESSOR_CRYPTO_KEY_RING_H_
#define WEBHOOK_PROCESSOR_CRYPTO_KEY_RING_H_

#include <string>
#include <string_view>
#include <vector>

#include "processor/base/result.h"
#include "processor/crypto/secret_key.h"

namespace webhook {

// The key-encryption keys, from a text file: a line each, `FINGERPRINT
// BASE64KEY`, the current one first; `#` begins a comment line. A fingerprint
// is the first 16 hex digits of the key's SHA-256.
class KeyRing {
 public:
  struct Entry {
    std::string fingerprint;
    SecretKey key;
  };

  // Refuses a file that group or others may read, a fingerprint that is not
  // its key's, and a ring without keys.
  static Result<KeyRing> load(const std::string& path);

  // Makes a ring of one random key. The file (mode 0600) and its name are
  // durable on return; an existing file is never touched.
  static Result<KeyRing> create(const std::string& path);

  const Entry& current() const { return entries_.front(); }

  // Null when the ring does not hold it.
  const Entry* find(std::string_view fingerprint) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_KEY_RING_H_
