#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_BATCH_WRITER_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_BATCH_WRITER_H_

#include <chrono>
#include <span>
#include <string_view>
#include <vector>

#include "processor/store/postgres/session.h"
#include "processor/store/store.h"

namespace webhook::postgres {

// Store::accept() of one batch on one session.
class BatchWriter {
 public:
  // Within the edge's default webhook_timeout; nobody waits for later answers.
  static constexpr std::chrono::milliseconds kBudget{1300};
  // Of one batch after conflicts and lost connections, with the same ids.
  static constexpr int kMaxTries = 5;

  BatchWriter(Session& session, std::span<const AcceptRow> rows);

  StoreResult<std::vector<AcceptOutcome>> accept();

 private:
  using Indexes = std::span<const size_t>;

  // Halves what holds a row that the store will never take, until it is alone.
  PgResult<void> accept_all(Indexes indexes);
  PgResult<void> accept_statement(Indexes indexes);

  // Sets the outcomes of what went in; gives the others.
  PgResult<std::vector<size_t>> insert(Indexes indexes);
  // The outcomes of rows that were kept out.
  PgResult<void> find_first(Indexes indexes, bool nothing_written);
  PgResult<void> settle(size_t index, const Rows& found, int at);
  PgResult<void> take_up(size_t index, const Uuid& inbox_id);

  Params accept_params(Indexes indexes) const;
  Params take_up_params(const AcceptRow& row) const;

  Session& session_;
  const std::span<const AcceptRow> rows_;
  const Deadline deadline_;
  std::vector<AcceptOutcome> outcomes_;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_BATCH_WRITER_H_
