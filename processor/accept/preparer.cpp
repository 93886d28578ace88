#include "processor/accept/preparer.h"

#include <algorithm>
#include <utility>

#include "processor/base/clock.h"
#include "processor/base/log.h"
#include "processor/link/frame_writer.h"

namespace webhook {
namespace {

constexpr int64_t kMinRecordMs = 90 * kMsPerDay;

// What a worker needs to keep for one large body is not kept for ever.
constexpr size_t kMaxKeptPlaintext = size_t{1} << 20;

// StoredPayload with its body appended by hand, not copied through a message.
void encode_payload(v1::Event& event, std::string_view body, std::string& out) {
  v1::StoredPayload payload;
  payload.set_method(event.method());
  payload.set_target(event.target());
  payload.mutable_headers()->Swap(event.mutable_headers());
  payload.SerializeToString(&out);
  out.reserve(out.size() + body.size() + 8);
  link::append_body_header(out, body.size());
  out += body;
}

// Whoever has seen one request can send it again with another id, where the id
// is not signed.
std::optional<SignatureDigest> guard_of(const v1::Event& event, const EventSpec& spec) {
  SignatureDigest digest;
  if (!spec.id_outside_signature || event.signature_digest().size() != digest.size()) {
    return std::nullopt;
  }
  std::copy(event.signature_digest().begin(), event.signature_digest().end(), digest.begin());
  return digest;
}

bool is_valid_key_part(const std::string& text) {
  return !text.empty() && is_valid_field(text);
}

}  // namespace

tl::expected<Preparer::Prepared, Reason> Preparer::prepare(const link::Frame& frame) {
  row_ = AcceptRow();
  Reason reason = read_event(frame);
  if (reason == Reason::kNone) reason = fill_row(frame.body());
  if (reason != Reason::kNone) return tl::make_unexpected(reason);
  if (!seal(frame.body())) {
    return tl::make_unexpected(Reason::kStoreUnavailable);
  }
  return Prepared{std::move(row_), event_.deadline_ns()};
}

Reason Preparer::read_event(const link::Frame& frame) {
  const std::string_view message = frame.message();
  // The frame was sound: a field that is not UTF-8 is one event's fault, not
  // the connection's.
  if (!event_.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return Reason::kFieldInvalid;
  }
  row_.key = {event_.tenant(), event_.provider(), event_.endpoint(), ""};
  row_.request_id = event_.request_id();
  if (!is_valid_key_part(row_.key.tenant) || !is_valid_key_part(row_.key.provider) ||
      !is_valid_key_part(row_.key.endpoint) || !is_valid_field(event_.secret_version()) ||
      !is_valid_field(event_.request_id())) {
    return Reason::kFieldInvalid;
  }
  if (monotonic_ns() >= event_.deadline_ns()) return Reason::kDeadline;
  return Reason::kNone;
}

Reason Preparer::fill_row(std::string_view body) {
  const auto spec = specs_.get(event_.spec());
  if (!spec) {
    log(LogLevel::kError, "an event's spec cannot be followed", {{"provider", row_.key.provider}});
    return Reason::kInternal;
  }
  auto envelope = read_envelope(*spec, event_, body, json_);
  if (!envelope) return envelope.error();
  row_.key.event_id = std::move(envelope->event_id);
  row_.event_type = std::move(envelope->event_type);
  row_.account = std::move(envelope->account);
  row_.object_id = std::move(envelope->object_id);
  row_.object_version = std::move(envelope->object_version);
  row_.created_at_ms = envelope->created_at_ms;
  row_.received_at_ms = event_.received_at_ms();
  row_.secret_version = event_.secret_version();
  row_.body_bytes = body.size();
  row_.payload_day = row_.received_at_ms / kMsPerDay + kPayloadDays;
  row_.signature_digest = guard_of(event_, *spec);
  if (event_.has_signed_at_ms()) {
    row_.signed_at_ms = event_.signed_at_ms();
    row_.expires_at_ms = row_.received_at_ms + std::max(kMinRecordMs, spec->redelivery_ms);
  }
  return Reason::kNone;
}

// Ids and nonce are minted here, before the store is called: a batch whose
// outcome is unknown can be sent again with the same ones.
bool Preparer::seal(std::string_view body) {
  const int64_t now_ms = unix_ms();
  const auto lease = keys_.lease(now_ms);
  if (!lease) {
    log(LogLevel::kError, "no data key", {{"why", lease.error().message}});
    return false;
  }
  row_.inbox_id = make_uuid7(now_ms);
  row_.payload_id = make_uuid7(now_ms);
  row_.payload_digest = keys_.digest(body);
  row_.key_id = lease->key_id;
  encode_payload(event_, body, plaintext_);
  row_.blob = sealer_.seal(
      *lease, {row_.payload_id, row_.key.tenant, row_.key.provider, row_.key.endpoint}, plaintext_);
  if (plaintext_.capacity() > kMaxKeptPlaintext) plaintext_ = std::string();
  return true;
}

}  // namespace webhook
