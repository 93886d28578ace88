#include "processor/store/postgres/batch_writer.h"

#include <algorithm>
#include <set>

#include "processor/base/clock.h"
#include "processor/base/fault.h"
#include "processor/store/key_order.h"

namespace webhook::postgres {
namespace {

using Kind = StoreError::Kind;

// The columns of find_first.
enum FirstColumn { kNumber, kInboxId, kPayloadId, kStatus, kReplayOf, kLogged, kDurable };

constexpr char kNotDurable[] =
    "PostgreSQL: somebody switched synchronous_commit off, or to local where there are standbys, "
    "on a connection";

bool keeps_payload(const AcceptRow& row) {
  return row.status != EventStatus::kIgnored;
}

int32_t steps_of(const AcceptRow& row) {
  return row.status == EventStatus::kReceived ? static_cast<int32_t>(row.steps.size()) : 0;
}

std::optional<Bytes> digest_of(const AcceptRow& row) {
  if (!row.signature_digest) return std::nullopt;
  return Bytes{
      {reinterpret_cast<const char*>(row.signature_digest->data()), row.signature_digest->size()}};
}

Bytes payload_digest_of(const AcceptRow& row) {
  return {{reinterpret_cast<const char*>(row.payload_digest.data()), row.payload_digest.size()}};
}

std::optional<Timestamp> time_of(std::optional<int64_t> unix_ms) {
  if (!unix_ms) return std::nullopt;
  return Timestamp{*unix_ms};
}

// A member of rows with a payload; NULL in the others.
template <typename T>
std::optional<T> of_payload(const AcceptRow& row, T value) {
  return keeps_payload(row) ? std::optional<T>(value) : std::nullopt;
}

// A row of the outbox that is to be made.
struct Step {
  const AcceptRow* row;
  std::string_view name;
};

std::vector<Step> steps_of(std::span<const AcceptRow> rows, std::span<const size_t> indexes) {
  std::vector<Step> steps;
  for (const size_t index : indexes) {
    const AcceptRow& row = rows[index];
    if (row.status != EventStatus::kReceived) continue;
    for (const std::string& name : row.steps) steps.push_back({&row, name});
  }
  return steps;
}

bool may_try_again(const PgError& error) {
  return error.lost_statement || error.error.kind == Kind::kConflict ||
         error.error.kind == Kind::kUnknownOutcome;
}

}  // namespace

BatchWriter::BatchWriter(Session& session, std::span<const AcceptRow> rows)
    : session_(session),
      rows_(rows),
      deadline_(monotonic_ns() + static_cast<uint64_t>(kBudget.count()) * kNsPerMs),
      outcomes_(rows.size()) {}

// The same ids each time: a row that an earlier try has stored without our
// hearing of it is found, and known by its ids.
StoreResult<std::vector<AcceptOutcome>> BatchWriter::accept() {
  const std::vector<size_t> order = key_order(rows_);
  if (order.empty()) return outcomes_;
  bool unknown = false;
  for (int tries = 1;; ++tries) {
    const auto done = accept_all(order);
    if (done) return std::move(outcomes_);
    unknown = unknown || done.error().error.kind == Kind::kUnknownOutcome;
    if (may_try_again(done.error()) && tries < kMaxTries && monotonic_ns() < deadline_) continue;
    StoreError error = done.error().error;
    if (unknown && error.kind != Kind::kFatal) error.kind = Kind::kUnknownOutcome;
    return tl::make_unexpected(std::move(error));
  }
}

PgResult<void> BatchWriter::accept_all(Indexes indexes) {
  auto done = accept_statement(indexes);
  if (done || done.error().error.kind != Kind::kPoison) return done;
  if (indexes.size() == 1) {
    outcomes_[indexes[0]] = {AcceptOutcome::Kind::kRejected, {}, done.error().error.message};
    return {};
  }
  const size_t half = indexes.size() / 2;
  if (auto first = accept_all(indexes.first(half)); !first) return first;
  return accept_all(indexes.subspan(half));
}

PgResult<void> BatchWriter::accept_statement(Indexes indexes) {
  const auto kept_out = insert(indexes);
  if (!kept_out) return tl::make_unexpected(kept_out.error());
  if (kept_out->empty()) return {};
  return find_first(*kept_out, kept_out->size() == indexes.size());
}

PgResult<std::vector<size_t>> BatchWriter::insert(Indexes indexes) {
  if (monotonic_ns() >= deadline_ || fault(FaultPoint::before_commit)) {
    return tl::make_unexpected(PgError{{Kind::kTransient, "PostgreSQL: too late to begin"}});
  }
  const auto stored = session_.run("accept", accept_params(indexes), deadline_);
  if (!stored) return tl::make_unexpected(stored.error());
  if (fault(FaultPoint::after_commit)) return tl::make_unexpected(unknown_outcome("fault point"));
  if (!stored->boolean(0, 0)) {
    return tl::make_unexpected(session_.discard(kNotDurable));
  }
  std::set<Uuid> accepted;
  for (int row = 0; row < stored->size(); ++row) accepted.insert(stored->uuid(row, 1));
  std::vector<size_t> kept_out;
  for (const size_t index : indexes) {
    const Uuid& inbox_id = rows_[index].inbox_id;
    if (accepted.contains(inbox_id)) {
      outcomes_[index] = {AcceptOutcome::Kind::kAccepted, inbox_id};
    } else {
      kept_out.push_back(index);
    }
  }
  return kept_out;
}

PgResult<void> BatchWriter::find_first(Indexes indexes, bool nothing_written) {
  const auto key = [this](size_t index) -> const EventKey& { return rows_[index].key; };
  Params params;
  params.add_array<int32_t>(indexes, [](size_t i) { return static_cast<int32_t>(i); })
      .add_array<Text>(indexes, [&](size_t i) { return Text{key(i).tenant}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{key(i).provider}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{key(i).endpoint}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{key(i).event_id}; })
      .add_array<Bytes>(indexes, [&](size_t i) { return digest_of(rows_[i]); })
      .add(nothing_written);
  const auto found = session_.run("find_first", params, deadline_);
  if (!found) return tl::make_unexpected(found.error());
  for (int at = 0; at < found->size(); ++at) {
    const auto index = static_cast<size_t>(found->integer(at, kNumber));
    if (!found->boolean(at, kDurable)) return tl::make_unexpected(session_.discard(kNotDurable));
    if (auto settled = settle(index, *found, at); !settled) return settled;
  }
  return {};
}

PgResult<void> BatchWriter::settle(size_t index, const Rows& found, int at) {
  const AcceptRow& row = rows_[index];
  AcceptOutcome& outcome = outcomes_[index];
  const bool is_there = !found.is_null(at, kInboxId);
  const bool own =
      is_there && (found.uuid(at, kInboxId) == row.inbox_id ||
                   found.optional_uuid(at, kPayloadId) == std::optional(row.payload_id));
  // Before all else: whoever sends another event's request again must not
  // wake one that is held.
  if (!own && !found.is_null(at, kReplayOf)) {
    outcome = {AcceptOutcome::Kind::kReplay, found.uuid(at, kReplayOf)};
    return {};
  }
  if (!is_there) {
    return tl::make_unexpected(
        PgError{{Kind::kConflict, "PostgreSQL: a row was neither inserted nor there"}});
  }
  const Uuid inbox_id = found.uuid(at, kInboxId);
  const std::string_view status = found.bytes(at, kStatus);
  const bool waits = status == event_status_name(EventStatus::kHeld) ||
                     status == event_status_name(EventStatus::kIgnored);
  if (!own && waits && row.status == EventStatus::kReceived) return take_up(index, inbox_id);
  outcome = {own ? AcceptOutcome::Kind::kAccepted : AcceptOutcome::Kind::kDuplicate, inbox_id};
  return {};
}

PgResult<void> BatchWriter::take_up(size_t index, const Uuid& inbox_id) {
  const auto taken = session_.run("take_up", take_up_params(rows_[index]), deadline_);
  if (!taken) return tl::make_unexpected(taken.error());
  if (taken->size() != 1) {
    return tl::make_unexpected(
        PgError{{Kind::kConflict,
                 "PostgreSQL: another delivery was faster, or nothing may be "
                 "written on this connection"}});
  }
  outcomes_[index] = {AcceptOutcome::Kind::kAccepted, inbox_id};
  return {};
}

Params BatchWriter::accept_params(Indexes indexes) const {
  const auto row = [this](size_t index) -> const AcceptRow& { return rows_[index]; };
  const std::vector<Step> steps = steps_of(rows_, indexes);
  Params params;
  params.add_array<Text>(indexes, [&](size_t i) { return Text{row(i).key.tenant}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).key.provider}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).key.endpoint}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).key.event_id}; })
      .add_array<Uuid>(indexes, [&](size_t i) { return row(i).inbox_id; })
      .add_array<Uuid>(indexes, [&](size_t i) { return of_payload(row(i), row(i).payload_id); })
      .add_array<Date>(indexes,
                       [&](size_t i) { return of_payload(row(i), Date{row(i).payload_day}); })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).event_type}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).account}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).object_id}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).object_version}; })
      .add_array<Timestamp>(indexes, [&](size_t i) { return time_of(row(i).created_at_ms); })
      .add_array<Timestamp>(indexes, [&](size_t i) { return time_of(row(i).signed_at_ms); })
      .add_array<Timestamp>(indexes, [&](size_t i) { return Timestamp{row(i).received_at_ms}; })
      .add_array<Bytes>(indexes, [&](size_t i) { return payload_digest_of(row(i)); })
      .add_array<int64_t>(indexes,
                          [&](size_t i) { return static_cast<int64_t>(row(i).body_bytes); })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).secret_version}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{row(i).request_id}; })
      .add_array<Text>(indexes, [&](size_t i) { return Text{event_status_name(row(i).status)}; })
      .add_array<int32_t>(indexes, [&](size_t i) { return steps_of(row(i)); })
      .add_array<Timestamp>(indexes, [&](size_t i) { return time_of(row(i).expires_at_ms); })
      .add_array<Bytes>(
          indexes, [&](size_t i) { return of_payload(row(i), Bytes{as_bytes(row(i).key_id)}); })
      .add_array<Bytes>(indexes, [&](size_t i) { return of_payload(row(i), Bytes{row(i).blob}); })
      .add_array<Bytes>(indexes, [&](size_t i) { return digest_of(row(i)); })
      .add_array<Text>(steps, [](const Step& step) { return Text{step.row->key.tenant}; })
      .add_array<Uuid>(steps, [](const Step& step) { return step.row->inbox_id; })
      .add_array<Text>(steps, [](const Step& step) { return Text{step.name}; });
  return params;
}

Params BatchWriter::take_up_params(const AcceptRow& row) const {
  Params params;
  params.add(Text{row.key.tenant})
      .add(Text{row.key.provider})
      .add(Text{row.key.endpoint})
      .add(Text{row.key.event_id})
      .add(row.payload_id)
      .add(Date{row.payload_day})
      .add(Text{row.event_type})
      .add(Text{row.account})
      .add(Text{row.object_id})
      .add(Text{row.object_version})
      .add(time_of(row.created_at_ms))
      .add(time_of(row.signed_at_ms))
      .add(Timestamp{row.received_at_ms})
      .add(payload_digest_of(row))
      .add(static_cast<int64_t>(row.body_bytes))
      .add(Text{row.secret_version})
      .add(Text{row.request_id})
      .add(steps_of(row))
      .add(time_of(row.expires_at_ms))
      .add(Bytes{as_bytes(row.key_id)})
      .add(Bytes{row.blob})
      .add_array<Text>(row.steps, [](const std::string& step) { return Text{step}; });
  return params;
}

}  // namespace webhook::postgres
