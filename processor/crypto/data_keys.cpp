#include "processor/crypto/data_keys.h"

#include <unistd.h>

#include <algorithm>

#include "processor/base/clock.h"

namespace webhook {
namespace {

// Each further one follows a key that was made, here or by another processor.
constexpr int kMaxOpenTries = 4;

std::string wrap_aad(const KeyId& id, DataKey::Kind kind) {
  return "webhook data key " + std::string(as_bytes(id)) + data_key_kind(kind);
}

// A wrapped key is nonce, ciphertext, tag. The nonce is random: a ring key
// wraps a few keys a day.
std::string wrap(const SecretKey& kek, const DataKey& row, const SecretKey& key) {
  Nonce nonce;
  fill_random(nonce);
  std::string wrapped(nonce.begin(), nonce.end());
  aead_seal(kek, nonce, wrap_aad(row.key_id, row.kind), key.bytes(), wrapped);
  return wrapped;
}

std::optional<SecretKey> unwrap(const KeyRing& ring, const DataKey& row) {
  const KeyRing::Entry* kek = ring.find(row.kek);
  Nonce nonce;
  if (kek == nullptr || row.wrapped.size() < nonce.size()) return std::nullopt;
  std::copy_n(row.wrapped.begin(), nonce.size(), nonce.begin());
  auto plain = aead_open(kek->key, nonce, wrap_aad(row.key_id, row.kind),
                         std::string_view(row.wrapped).substr(nonce.size()));
  if (!plain || plain->size() != SecretKey::kSize) return std::nullopt;
  const SecretKey key = SecretKey::from_bytes(*plain);
  OPENSSL_cleanse(plain->data(), plain->size());
  return key;
}

const DataKey* find_kind(const std::vector<DataKey>& keys, DataKey::Kind kind) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [kind](const DataKey& key) { return key.kind == kind; });
  return found == keys.end() ? nullptr : &*found;
}

Status prove(const KeyRing& ring, const std::vector<DataKey>& keys, const std::string& ring_path,
             const Store& store) {
  const DataKey* canary = find_kind(keys, DataKey::Kind::kCanary);
  if (canary == nullptr || unwrap(ring, *canary)) return {};
  return fail(
      "key ring {} does not belong to store {}, which was written under key {}: all processors of "
      "one store share a ring",
      ring_path, store.name(), canary->kek);
}

Result<KeyRing> load_or_create(const std::string& path, bool may_create, const Store& store) {
  if (access(path.c_str(), F_OK) == 0) return KeyRing::load(path);
  if (may_create) return KeyRing::create(path);
  return fail(
      "key ring {} is missing, but store {} was written under one: restore "
      "that file, or copy it from another processor of the store",
      path, store.name());
}

Nonce counter_nonce(uint64_t counter) {
  Nonce nonce{};
  for (size_t i = 0; i < sizeof(counter); ++i) {
    nonce[nonce.size() - 1 - i] = static_cast<uint8_t>(counter >> (8 * i));
  }
  return nonce;
}

tl::unexpected<Error> as_error(const StoreError& error) {
  return tl::make_unexpected(Error{error.message});
}

}  // namespace

DataKeys::DataKeys(KeyRing ring, Store& store) : ring_(std::move(ring)), store_(store) {}

// Of several processors that start on an empty store at once, the keys of one
// win; the others meet them and, with another ring, do not start.
Result<std::unique_ptr<DataKeys>> DataKeys::open(const std::string& ring_path, Store& store) {
  const int64_t now_ms = unix_ms();
  std::unique_ptr<DataKeys> self;
  for (int tries = 0; tries < kMaxOpenTries; ++tries) {
    const auto keys = store.data_keys();
    if (!keys) return as_error(keys.error());
    if (!self) {
      auto ring = load_or_create(ring_path, keys->empty(), store);
      if (!ring) return tl::make_unexpected(ring.error());
      self.reset(new DataKeys(std::move(*ring), store));
    }
    if (auto proved = prove(self->ring_, *keys, ring_path, store); !proved) {
      return tl::make_unexpected(proved.error());
    }
    const auto complete = self->make_single_keys(*keys, now_ms);
    if (!complete) return tl::make_unexpected(complete.error());
    if (!*complete) continue;
    if (auto adopted = self->adopt_digest_key(*keys); !adopted) {
      return tl::make_unexpected(adopted.error());
    }
    if (auto renewed = self->renew(now_ms); !renewed) return as_error(renewed.error());
    return self;
  }
  return fail("store {} does not keep the keys that are written to it", store.name());
}

Status DataKeys::check(const std::string& ring_path, Store& store) {
  const auto keys = store.data_keys();
  if (!keys) return as_error(keys.error());
  if (keys->empty() && access(ring_path.c_str(), F_OK) != 0) return {};
  auto ring = load_or_create(ring_path, false, store);
  if (!ring) return tl::make_unexpected(ring.error());
  return prove(*ring, *keys, ring_path, store);
}

Result<bool> DataKeys::make_single_keys(const std::vector<DataKey>& keys, int64_t now_ms) {
  bool complete = true;
  for (const DataKey::Kind kind : {DataKey::Kind::kCanary, DataKey::Kind::kDigest}) {
    if (find_kind(keys, kind) != nullptr) continue;
    complete = false;
    KeyId id;
    const auto made = make(kind, now_ms, id);
    if (!made && made.error().kind != StoreError::Kind::kPoison) return as_error(made.error());
    if (!made) break;  // and read what is there
  }
  return complete;
}

Status DataKeys::adopt_digest_key(const std::vector<DataKey>& keys) {
  const DataKey* const row = find_kind(keys, DataKey::Kind::kDigest);
  const auto key = unwrap(ring_, *row);
  if (!key) {
    return fail("the digest key of store {} does not open under key {}", store_.name(), row->kek);
  }
  digest_key_ = *key;
  return {};
}

tl::expected<SecretKey, StoreError> DataKeys::make(DataKey::Kind kind, int64_t now_ms, KeyId& id) {
  DataKey row;
  fill_random(row.key_id);
  row.kind = kind;
  row.day = now_ms / kMsPerDay;
  row.kek = ring_.current().fingerprint;
  row.created_at_ms = now_ms;
  const SecretKey key = SecretKey::random();
  row.wrapped = wrap(ring_.current().key, row, key);
  if (auto saved = store_.save_data_key(row); !saved) {
    return tl::make_unexpected(saved.error());
  }
  id = row.key_id;
  return key;
}

tl::expected<void, StoreError> DataKeys::renew(int64_t now_ms) {
  Current next;
  const auto key = make(DataKey::Kind::kPayload, now_ms, next.key_id);
  if (!key) return tl::make_unexpected(key.error());
  next.key = std::make_shared<const SecretKey>(*key);
  next.day = now_ms / kMsPerDay;
  current_ = std::move(next);
  return {};
}

tl::expected<DataKeys::Lease, StoreError> DataKeys::lease(int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (now_ms / kMsPerDay != current_.day || current_.messages >= kMaxMessages) {
    if (auto renewed = renew(now_ms); !renewed) {
      return tl::make_unexpected(renewed.error());
    }
  }
  return Lease{current_.key_id, current_.key, counter_nonce(current_.messages++)};
}

Result<std::shared_ptr<const SecretKey>> DataKeys::find(const KeyId& id) {
  const auto keys = store_.data_keys();
  if (!keys) return as_error(keys.error());
  for (const DataKey& row : *keys) {
    if (row.key_id != id) continue;
    if (const auto key = unwrap(ring_, row)) {
      return std::make_shared<const SecretKey>(*key);
    }
    return fail("the payload's key does not open under ring key {}", row.kek);
  }
  return fail("the payload's key is no longer in the store");
}

Digest DataKeys::digest(std::string_view body) const {
  return hmac_sha256(digest_key_, body);
}

}  // namespace webhook
