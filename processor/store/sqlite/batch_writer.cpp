#include "processor/store/sqlite/batch_writer.h"

#include <algorithm>

#include "processor/base/fault.h"
#include "processor/store/key_order.h"

namespace webhook::sqlite {
namespace {

void bind_key(Statement& statement, const EventKey& key) {
  statement.bind_text(":tenant", key.tenant);
  statement.bind_text(":provider", key.provider);
  statement.bind_text(":endpoint", key.endpoint);
  statement.bind_text(":event_id", key.event_id);
}

std::string_view bytes_of(const std::array<uint8_t, 32>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Uuid uuid_of(std::string_view bytes) {
  Uuid id{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), id.size()), id.begin());
  return id;
}

bool keeps_payload(const AcceptRow& row) {
  return row.status != EventStatus::kIgnored;
}

int64_t steps_of(const AcceptRow& row) {
  return row.status == EventStatus::kReceived ? static_cast<int64_t>(row.steps.size()) : 0;
}

// What insert_inbox and take_up have in common.
void bind_delivery(Statement& statement, const AcceptRow& row) {
  bind_key(statement, row.key);
  if (keeps_payload(row)) {
    statement.bind_blob(":payload_id", as_bytes(row.payload_id));
  } else {
    statement.bind_null(":payload_id");
  }
  statement.bind_text(":event_type", row.event_type);
  statement.bind_text(":account", row.account);
  statement.bind_text(":object_id", row.object_id);
  statement.bind_text(":object_version", row.object_version);
  statement.bind_int(":created_at", row.created_at_ms);
  statement.bind_int(":signed_at", row.signed_at_ms);
  statement.bind_int(":received_at", row.received_at_ms);
  statement.bind_blob(":payload_digest", bytes_of(row.payload_digest));
  statement.bind_int(":body_bytes", static_cast<int64_t>(row.body_bytes));
  statement.bind_text(":secret_version", row.secret_version);
  statement.bind_text(":request_id", row.request_id);
  statement.bind_int(":steps_left", steps_of(row));
  statement.bind_int(":expires_at", row.expires_at_ms);
}

}  // namespace

// A row that the store will never take is known by name here, so there is
// nothing to bisect: it is left out and the rest is tried again. Ends, because
// every try has one row less.
StoreResult<std::vector<AcceptOutcome>> BatchWriter::accept(std::span<const AcceptRow> rows) {
  std::vector<AcceptOutcome> outcomes(rows.size());
  std::vector<size_t> order = key_order(rows);
  while (!order.empty()) {
    size_t poison = kNoRow;
    const auto written = try_batch(rows, order, outcomes, poison);
    if (written) break;
    if (poison == kNoRow || written.error().kind != StoreError::Kind::kPoison) {
      return tl::make_unexpected(written.error());
    }
    outcomes[poison] = {AcceptOutcome::Kind::kRejected, {}, written.error().message};
    std::erase(order, poison);
  }
  return outcomes;
}

StoreResult<void> BatchWriter::try_batch(std::span<const AcceptRow> rows,
                                         const std::vector<size_t>& order,
                                         std::vector<AcceptOutcome>& outcomes, size_t& poison) {
  Transaction transaction(database_, statements_);
  if (auto begun = transaction.begin(); !begun) return begun;
  for (const size_t index : order) {
    const auto outcome = insert(rows[index]);
    if (!outcome) {
      poison = index;
      return tl::make_unexpected(outcome.error());
    }
    outcomes[index] = *outcome;
  }
  return commit(transaction);
}

// A signature is looked for before the event, as in every store.
StoreResult<AcceptOutcome> BatchWriter::insert(const AcceptRow& row) {
  if (row.signature_digest) {
    const auto replayed = find_replayed(row);
    if (!replayed) return tl::make_unexpected(replayed.error());
    if (*replayed) return AcceptOutcome{AcceptOutcome::Kind::kReplay, **replayed};
  }
  const auto inserted = insert_inbox(row);
  if (!inserted) return tl::make_unexpected(inserted.error());
  if (!*inserted) return settle_duplicate(row);
  if (keeps_payload(row)) {
    if (auto payload = insert_payload(row); !payload) {
      return tl::make_unexpected(payload.error());
    }
  }
  if (auto outbox = insert_outbox(row, row.inbox_id); !outbox) {
    return tl::make_unexpected(outbox.error());
  }
  return AcceptOutcome{AcceptOutcome::Kind::kAccepted, row.inbox_id};
}

StoreResult<std::optional<Uuid>> BatchWriter::find_replayed(const AcceptRow& row) {
  const auto is_new = insert_guard(row);
  if (!is_new) return tl::make_unexpected(is_new.error());
  if (*is_new) return std::nullopt;
  Statement& find = statements_.get("find_replayed");
  const ResetGuard guard(find);
  bind_key(find, row.key);
  find.bind_blob(":signature_digest", bytes_of(*row.signature_digest));
  const auto found = find.step();
  if (!found) return tl::make_unexpected(found.error());
  if (!*found) return std::nullopt;  // under this id: a duplicate like any other
  return uuid_of(find.text(0));
}

StoreResult<bool> BatchWriter::insert_guard(const AcceptRow& row) {
  Statement& insert = statements_.get("insert_guard");
  bind_key(insert, row.key);
  insert.bind_blob(":signature_digest", bytes_of(*row.signature_digest));
  insert.bind_int(":until", row.expires_at_ms);
  if (auto ran = insert.run(); !ran) return tl::make_unexpected(ran.error());
  return database_.changes() == 1;
}

StoreResult<bool> BatchWriter::insert_inbox(const AcceptRow& row) {
  Statement& insert = statements_.get("insert_inbox");
  bind_delivery(insert, row);
  insert.bind_blob(":inbox_id", as_bytes(row.inbox_id));
  insert.bind_text(":status", event_status_name(row.status));
  if (auto ran = insert.run(); !ran) return tl::make_unexpected(ran.error());
  return database_.changes() == 1;
}

StoreResult<AcceptOutcome> BatchWriter::settle_duplicate(const AcceptRow& row) {
  Statement& find = statements_.get("find_duplicate");
  AcceptOutcome outcome{AcceptOutcome::Kind::kDuplicate, {}};
  std::string status;
  {
    const ResetGuard guard(find);
    bind_key(find, row.key);
    const auto found = find.step();
    if (!found) return tl::make_unexpected(found.error());
    if (!*found) {
      return tl::make_unexpected(
          StoreError{StoreError::Kind::kFatal, "a row was neither inserted nor there"});
    }
    outcome.inbox_id = uuid_of(find.text(0));
    status = find.text(1);
  }
  const bool waits = status == event_status_name(EventStatus::kHeld) ||
                     status == event_status_name(EventStatus::kIgnored);
  if (!waits || row.status != EventStatus::kReceived) return outcome;
  if (auto taken = take_up(row); !taken) return tl::make_unexpected(taken.error());
  if (auto payload = insert_payload(row); !payload) return tl::make_unexpected(payload.error());
  if (auto outbox = insert_outbox(row, outcome.inbox_id); !outbox) {
    return tl::make_unexpected(outbox.error());
  }
  outcome.kind = AcceptOutcome::Kind::kAccepted;
  return outcome;
}

StoreResult<void> BatchWriter::take_up(const AcceptRow& row) {
  Statement& update = statements_.get("take_up");
  bind_delivery(update, row);
  return update.run();
}

StoreResult<void> BatchWriter::insert_payload(const AcceptRow& row) {
  Statement& insert = statements_.get("insert_payload");
  insert.bind_blob(":payload_id", as_bytes(row.payload_id));
  insert.bind_text(":tenant", row.key.tenant);
  insert.bind_int(":day", row.payload_day);
  insert.bind_blob(":key_id", as_bytes(row.key_id));
  insert.bind_blob(":blob", row.blob);
  return insert.run();
}

StoreResult<void> BatchWriter::insert_outbox(const AcceptRow& row, const Uuid& inbox_id) {
  if (row.status != EventStatus::kReceived) return {};
  Statement& insert = statements_.get("insert_outbox");
  for (const std::string& step : row.steps) {
    insert.bind_text(":tenant", row.key.tenant);
    insert.bind_blob(":inbox_id", as_bytes(inbox_id));
    insert.bind_text(":step", step);
    insert.bind_int(":next_at", row.received_at_ms);
    if (auto ran = insert.run(); !ran) return ran;
  }
  return {};
}

StoreResult<void> BatchWriter::commit(Transaction& transaction) {
  if (fault(FaultPoint::before_commit)) {
    return tl::make_unexpected(StoreError{StoreError::Kind::kTransient, "fault point"});
  }
  if (auto committed = transaction.commit(); !committed) return committed;
  if (fault(FaultPoint::after_commit)) {
    return tl::make_unexpected(StoreError{StoreError::Kind::kUnknownOutcome, "fault point"});
  }
  return {};
}

}  // namespace webhook::sqlite
