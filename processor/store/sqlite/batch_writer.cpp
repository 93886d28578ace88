#include "processor/store/sqlite/batch_writer.h"

#include <algorithm>
#include <numeric>

#include "processor/base/fault.h"

namespace webhook::sqlite {
namespace {

// Every writer takes keys in one order, that of their bytes: in SQLite it
// keeps a batch's pages together, elsewhere it prevents deadlocks. Stable, so
// that of two copies in one batch the first stays first.
std::vector<size_t> key_order(std::span<const AcceptRow> rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [rows](size_t a, size_t b) { return rows[a].key < rows[b].key; });
  return order;
}

void bind_key(Statement& statement, const EventKey& key) {
  statement.bind_text(":tenant", key.tenant);
  statement.bind_text(":provider", key.provider);
  statement.bind_text(":endpoint", key.endpoint);
  statement.bind_text(":event_id", key.event_id);
}

std::string_view bytes_of(const std::array<uint8_t, 32>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
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
    roll_back();
    if (poison == kNoRow || written.error().kind != StoreError::Kind::kPoison) {
      return tl::make_unexpected(written.error());
    }
    outcomes[poison] = AcceptOutcome{};
    std::erase(order, poison);
  }
  return outcomes;
}

StoreResult<void> BatchWriter::try_batch(std::span<const AcceptRow> rows,
                                         const std::vector<size_t>& order,
                                         std::vector<AcceptOutcome>& outcomes, size_t& poison) {
  if (auto begun = statements_.get("begin").run(); !begun) return begun;
  for (const size_t index : order) {
    const auto outcome = insert(rows[index]);
    if (!outcome) {
      poison = index;
      return tl::make_unexpected(outcome.error());
    }
    outcomes[index] = *outcome;
  }
  return commit();
}

StoreResult<AcceptOutcome> BatchWriter::insert(const AcceptRow& row) {
  const auto inserted = insert_inbox(row);
  if (!inserted) return tl::make_unexpected(inserted.error());
  if (!*inserted) return find_first(row.key);
  if (auto payload = insert_payload(row); !payload) {
    return tl::make_unexpected(payload.error());
  }
  if (auto outbox = insert_outbox(row); !outbox) {
    return tl::make_unexpected(outbox.error());
  }
  return AcceptOutcome{AcceptOutcome::Kind::kAccepted, row.inbox_id};
}

StoreResult<bool> BatchWriter::insert_inbox(const AcceptRow& row) {
  Statement& insert = statements_.get("insert_inbox");
  bind_key(insert, row.key);
  insert.bind_blob(":inbox_id", as_bytes(row.inbox_id));
  insert.bind_blob(":payload_id", as_bytes(row.payload_id));
  insert.bind_text(":event_type", row.event_type);
  insert.bind_text(":account", row.account);
  insert.bind_text(":object_id", row.object_id);
  insert.bind_text(":object_version", row.object_version);
  insert.bind_int(":created_at", row.created_at_ms);
  insert.bind_int(":signed_at", row.signed_at_ms);
  insert.bind_int(":received_at", row.received_at_ms);
  insert.bind_blob(":payload_digest", bytes_of(row.payload_digest));
  insert.bind_int(":body_bytes", static_cast<int64_t>(row.body_bytes));
  insert.bind_text(":secret_version", row.secret_version);
  insert.bind_text(":request_id", row.request_id);
  insert.bind_int(":expires_at", row.expires_at_ms);
  if (auto ran = insert.run(); !ran) return tl::make_unexpected(ran.error());
  return database_.changes() == 1;
}

StoreResult<AcceptOutcome> BatchWriter::find_first(const EventKey& key) {
  Statement& find = statements_.get("find_duplicate");
  const ResetGuard guard(find);
  bind_key(find, key);
  const auto row = find.step();
  if (!row) return tl::make_unexpected(row.error());
  if (!*row) {
    return tl::make_unexpected(
        StoreError{StoreError::Kind::kFatal, "a row was neither inserted nor there"});
  }
  AcceptOutcome outcome{AcceptOutcome::Kind::kDuplicate, {}};
  const std::string id = find.text(0);
  std::copy_n(id.begin(), std::min(id.size(), outcome.inbox_id.size()), outcome.inbox_id.begin());
  return outcome;
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

StoreResult<void> BatchWriter::insert_outbox(const AcceptRow& row) {
  Statement& insert = statements_.get("insert_outbox");
  insert.bind_text(":tenant", row.key.tenant);
  insert.bind_blob(":inbox_id", as_bytes(row.inbox_id));
  insert.bind_int(":next_at", row.received_at_ms);
  return insert.run();
}

StoreResult<void> BatchWriter::commit() {
  if (fault(FaultPoint::before_commit)) {
    return tl::make_unexpected(StoreError{StoreError::Kind::kTransient, "fault point"});
  }
  if (auto committed = statements_.get("commit").run(); !committed) {
    return committed;
  }
  if (fault(FaultPoint::after_commit)) {
    return tl::make_unexpected(StoreError{StoreError::Kind::kUnknownOutcome, "fault point"});
  }
  return {};
}

void BatchWriter::roll_back() {
  // Some errors have rolled back already.
  if (database_.in_transaction()) (void)statements_.get("rollback").run();
}

}  // namespace webhook::sqlite
