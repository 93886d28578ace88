// Where events live. Each backend is one implementation; all of them pass
// tests/processor/store_conformance_test.cpp.
#ifndef WEBHOOK_PROCESSOR_STORE_STORE_H_
#define WEBHOOK_PROCESSOR_STORE_STORE_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "processor/base/uuid.h"

namespace webhook {

using KeyId = std::array<uint8_t, 8>;

inline std::string_view as_bytes(const KeyId& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

struct StoreError {
  enum class Kind {
    kTransient,       // nothing was stored; later it may work
    kConflict,        // nothing was stored; the same rows may be sent again
    kPoison,          // a value that the store will never take
    kUnknownOutcome,  // stored or not: the same rows with the same ids tell
    kFatal,           // the store must not be used any more
  };
  Kind kind = Kind::kTransient;
  std::string message;
};

template <typename T>
using StoreResult = tl::expected<T, StoreError>;

// What makes an event the same event (R30).
struct EventKey {
  std::string tenant;
  std::string provider;
  std::string endpoint;
  std::string event_id;

  auto operator<=>(const EventKey&) const = default;
};

// After so many days a payload may be deleted.
constexpr int64_t kPayloadDays = 30;

enum class EventStatus { kReceived, kProcessed, kFailed, kHeld, kIgnored, kDiscarded };

constexpr const char* event_status_name(EventStatus status) {
  switch (status) {
    case EventStatus::kReceived: return "RECEIVED";
    case EventStatus::kProcessed: return "PROCESSED";
    case EventStatus::kFailed: return "FAILED";
    case EventStatus::kHeld: return "HELD";
    case EventStatus::kIgnored: return "IGNORED";
    case EventStatus::kDiscarded: return "DISCARDED";
  }
  return "";
}

// Whether the steps of such an event can be done once more.
constexpr bool can_replay(std::string_view status) {
  return status == event_status_name(EventStatus::kReceived) ||
         status == event_status_name(EventStatus::kProcessed) ||
         status == event_status_name(EventStatus::kFailed);
}

using SignatureDigest = std::array<uint8_t, 32>;

// Times are Unix milliseconds throughout.
struct AcceptRow {
  EventKey key;
  Uuid inbox_id{};
  Uuid payload_id{};
  std::string event_type;
  std::string account;
  std::string object_id;
  std::string object_version;
  std::optional<int64_t> created_at_ms;
  std::optional<int64_t> signed_at_ms;
  int64_t received_at_ms = 0;
  std::array<uint8_t, 32> payload_digest{};
  uint64_t body_bytes = 0;
  std::string secret_version;
  std::string request_id;
  std::optional<int64_t> expires_at_ms;  // of the idempotency record
  int64_t payload_day = 0;               // Unix day the payload may go by
  KeyId key_id{};
  std::string blob;  // unused in a row that is kIgnored: it keeps no payload

  // kReceived, kHeld or kIgnored; only the first has steps to do.
  EventStatus status = EventStatus::kReceived;
  std::vector<std::string> steps = {"default"};

  // Present where the event's id is outside the signature: then the same
  // signature under another id is no new event.
  std::optional<SignatureDigest> signature_digest;
};

struct AcceptOutcome {
  enum class Kind {
    kAccepted,   // stored as the row says, or a HELD or IGNORED twin taken up
    kDuplicate,  // was there
    kReplay,     // its signature was there, under another event id
    kRejected,   // the store does not take this one, whatever it is sent with
  };
  Kind kind = Kind::kRejected;
  Uuid inbox_id{};       // of what was there, the first delivery's
  std::string why = {};  // kRejected: the store's own words
};

struct EventFilter {  // empty fields do not restrict
  std::string tenant = {};
  std::string provider = {};
  std::string event_type = {};
  std::string status = {};
  std::string event_id = {};
  int64_t since_ms = 0;
};

struct EventRow {
  EventKey key;
  Uuid inbox_id{};
  std::optional<Uuid> payload_id;
  std::string event_type;
  std::string account;
  std::string object_id;
  std::string object_version;
  std::optional<int64_t> created_at_ms;
  std::optional<int64_t> signed_at_ms;
  int64_t received_at_ms = 0;
  std::string secret_version;
  std::string request_id;
  std::string status;
  uint32_t steps_left = 0;
  uint32_t generation = 0;
  std::string diagnosis;
  uint64_t body_bytes = 0;
  std::optional<int64_t> expires_at_ms;
};

struct OutboxRow {
  std::string step;
  int64_t next_at_ms = 0;
  uint32_t attempt = 0;
  std::string last_error;
};

struct StoredEvent {
  EventRow event;
  std::vector<OutboxRow> outbox;
  std::optional<std::string> blob;  // absent: the payload is no longer kept
};

// A step of an event, leased. Only the holder of the latest token can end it.
struct StepLease {
  EventKey key;
  Uuid inbox_id{};
  std::string step;
  uint32_t generation = 0;
  uint32_t attempt = 0;  // 1 at the first claim
  Uuid token{};
};

struct OperatorAction {
  int64_t at_ms = 0;
  std::string operator_name;
  std::string action;
  std::optional<Uuid> inbox_id;
  std::string reason;
};

struct DataKey {
  enum class Kind { kPayload, kDigest, kCanary };
  KeyId key_id{};
  Kind kind = Kind::kPayload;
  int64_t day = 0;
  std::string kek;  // fingerprint of the key that wraps it
  std::string wrapped;
  int64_t created_at_ms = 0;
};

constexpr const char* data_key_kind(DataKey::Kind kind) {
  switch (kind) {
    case DataKey::Kind::kPayload: return "payload";
    case DataKey::Kind::kDigest: return "digest";
    case DataKey::Kind::kCanary: return "canary";
  }
  return "";
}

constexpr DataKey::Kind data_key_kind_of(std::string_view name) {
  if (name == data_key_kind(DataKey::Kind::kDigest)) return DataKey::Kind::kDigest;
  if (name == data_key_kind(DataKey::Kind::kCanary)) return DataKey::Kind::kCanary;
  return DataKey::Kind::kPayload;
}

// Thread-safe. What a writing call returned without error is durable.
class Store {
 public:
  virtual ~Store() = default;

  // For people: the DSN without a password.
  virtual std::string name() const = 0;

  // How many calls of accept() are worth having at once.
  virtual size_t max_committers() const = 0;

  // Inbox, payload and outbox rows of a batch, in one transaction. The
  // outcomes are in the order of `rows`. A row that is already there is a
  // duplicate, unless it is HELD or IGNORED and `rows` would have it accepted:
  // then it becomes RECEIVED with the new delivery's payload and times. A row
  // that the store will never take is rejected and keeps no other row out. On
  // error no row may be answered as stored.
  virtual StoreResult<std::vector<AcceptOutcome>> accept(std::span<const AcceptRow> rows) = 0;

  // Housekeeping between batches, called after the answers have left.
  virtual StoreResult<void> maintain() = 0;

  // Leases up to `limit` ready steps of that name, oldest first, until
  // `duration` from now by the store's clock. A lease that runs out is ready
  // again.
  virtual StoreResult<std::vector<StepLease>> claim(const std::string& step, size_t limit,
                                                    std::chrono::milliseconds duration) = 0;
  // Marks steps as done, once each; the last step makes its event PROCESSED.
  // False for a lease that was lost: then nothing of it was written.
  virtual StoreResult<std::vector<bool>> complete(std::span<const StepLease> leases,
                                                  const std::string& result) = 0;
  // The step is ready again after `delay`. False: the lease was lost.
  virtual StoreResult<bool> put_back(const StepLease& lease, std::chrono::milliseconds delay,
                                     const std::string& error) = 0;
  // Ends the step without success: the event is FAILED. False: as above.
  virtual StoreResult<bool> give_up(const StepLease& lease, const std::string& diagnosis) = 0;
  // Has the steps done once more, under the next generation. False when there
  // is no such event, or it is HELD, IGNORED or DISCARDED.
  virtual StoreResult<bool> replay(const Uuid& inbox_id, const std::vector<std::string>& steps) = 0;

  // Newest first, at most `limit`. Reads give up after a few seconds.
  virtual StoreResult<std::vector<EventRow>> events(const EventFilter& filter, size_t limit) = 0;
  virtual StoreResult<uint64_t> count(const EventFilter& filter) = 0;
  virtual StoreResult<std::optional<StoredEvent>> find(const Uuid& inbox_id) = 0;
  virtual StoreResult<std::map<std::string, uint64_t>> status_counts() = 0;
  // When the oldest event that still has a step to do was received.
  virtual StoreResult<std::optional<int64_t>> oldest_unprocessed_ms() = 0;

  virtual StoreResult<void> log_operator(const OperatorAction& action) = 0;

  // kPoison: the id is taken, or there is a key of a kind that is there once.
  virtual StoreResult<void> save_data_key(const DataKey& key) = 0;
  virtual StoreResult<std::vector<DataKey>> data_keys() = 0;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_STORE_STORE_H_
