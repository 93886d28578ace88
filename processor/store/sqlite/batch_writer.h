#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_BATCH_WRITER_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_BATCH_WRITER_H_

#include <optional>
#include <span>
#include <vector>

#include "processor/store/sqlite/database.h"
#include "processor/store/sqlite/named_statements.h"
#include "processor/store/sqlite/transaction.h"
#include "processor/store/store.h"

namespace webhook::sqlite {

// Store::accept() on one connection, whose mutex the caller holds.
class BatchWriter {
 public:
  BatchWriter(Database& database, NamedStatements& statements)
      : database_(database), statements_(statements) {}

  StoreResult<std::vector<AcceptOutcome>> accept(std::span<const AcceptRow> rows);

 private:
  // Index of the row that made the transaction fail, when it was a row.
  static constexpr size_t kNoRow = ~size_t{0};

  // One transaction over the rows whose outcome is not yet kRejected by an
  // earlier try. `poison` receives the row to blame, or kNoRow.
  StoreResult<void> try_batch(std::span<const AcceptRow> rows, const std::vector<size_t>& order,
                              std::vector<AcceptOutcome>& outcomes, size_t& poison);
  StoreResult<AcceptOutcome> insert(const AcceptRow& row);
  // The event that has the row's signature under another event id.
  StoreResult<std::optional<Uuid>> find_replayed(const AcceptRow& row);
  StoreResult<bool> insert_guard(const AcceptRow& row);
  StoreResult<bool> insert_inbox(const AcceptRow& row);
  StoreResult<AcceptOutcome> settle_duplicate(const AcceptRow& row);
  StoreResult<void> take_up(const AcceptRow& row);
  StoreResult<void> insert_payload(const AcceptRow& row);
  StoreResult<void> insert_outbox(const AcceptRow& row, const Uuid& inbox_id);
  StoreResult<void> commit(Transaction& transaction);

  Database& database_;
  NamedStatements& statements_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_BATCH_WRITER_H_
