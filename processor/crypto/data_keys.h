#ifndef WEBHOOK_PROCESSOR_CRYPTO_DATA_KEYS_H_
#define WEBHOOK_PROCESSOR_CRYPTO_DATA_KEYS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "processor/base/result.h"
#include "processor/crypto/aead.h"
#include "processor/crypto/key_ring.h"
#include "processor/store/store.h"

namespace webhook {

// The keys that encrypt and digest payloads. They are random, wrapped by the
// ring's current key, and in the store before they are first used. A payload
// key is new at every start, every UTC day and every kMaxMessages; its nonces
// are a counter that is never stored, so neither a restored backup nor a
// cloned machine can repeat one. Thread-safe.
class DataKeys {
 public:
  // Far below the 2^32 that are safe.
  static constexpr uint64_t kMaxMessages = uint64_t{1} << 30;

  // One key with a nonce that nobody else gets.
  struct Lease {
    KeyId key_id;
    std::shared_ptr<const SecretKey> key;
    Nonce nonce;
  };

  // Loads or makes the ring at `ring_path` and proves that it belongs to
  // `store`. A ring is made only for a store that holds no keys. Both must be
  // able to outlive this object.
  static Result<std::unique_ptr<DataKeys>> open(const std::string& ring_path, Store& store);

  // The same proof, without making or writing anything.
  static Status check(const std::string& ring_path, Store& store);

  // May write to the store, when a new key is due. `now_ms` is Unix time.
  tl::expected<Lease, StoreError> lease(int64_t now_ms);

  // The key that a stored payload names; an error when the store or the ring
  // does not have it.
  Result<std::shared_ptr<const SecretKey>> find(const KeyId& id);

  // HMAC-SHA256 under the store's digest key.
  Digest digest(std::string_view body) const;

 private:
  struct Current {
    KeyId key_id{};
    std::shared_ptr<const SecretKey> key;
    int64_t day = 0;
    uint64_t messages = 0;
  };

  DataKeys(KeyRing ring, Store& store);

  // Makes canary and digest key where `keys` has none. False: another
  // processor made one first, so the store is to be read again.
  Result<bool> make_single_keys(const std::vector<DataKey>& keys, int64_t now_ms);
  Status adopt_digest_key(const std::vector<DataKey>& keys);
  tl::expected<SecretKey, StoreError> make(DataKey::Kind kind, int64_t now_ms, KeyId& id);
  tl::expected<void, StoreError> renew(int64_t now_ms);

  const KeyRing ring_;
  Store& store_;
  SecretKey digest_key_;
  std::mutex mutex_;
  Current current_;  // guarded by mutex_
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_DATA_KEYS_H_
