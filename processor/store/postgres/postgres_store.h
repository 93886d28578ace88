#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_POSTGRES_STORE_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_POSTGRES_STORE_H_

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "processor/base/result.h"
#include "processor/store/postgres/session_pool.h"
#include "processor/store/postgres/step_queue.h"
#include "processor/store/store.h"

namespace webhook::postgres {

struct Options {
  std::string dsn;  // a libpq URI
  size_t connections = 3;
  ClaimDialect claim = ClaimDialect::kSkipLocked;
};

// Events in PostgreSQL, shared with other processors. While the server is away
// calls fail as transient: at once when it says so, else after the 2 s that a
// connection may take; a later one connects again.
class PostgresStore : public Store {
 public:
  // Connects and checks server, schema and privileges; the schema must be there.
  static Result<std::unique_ptr<PostgresStore>> open(const Options& options);

  ~PostgresStore() override = default;

  std::string name() const override { return name_; }
  size_t max_committers() const override { return options_.connections; }
  StoreResult<std::vector<AcceptOutcome>> accept(std::span<const AcceptRow> rows) override;
  StoreResult<void> maintain() override;
  StoreResult<std::vector<StepLease>> claim(const std::string& step, size_t limit,
                                            std::chrono::milliseconds duration) override;
  StoreResult<std::vector<bool>> complete(std::span<const StepLease> leases,
                                          const std::string& result) override;
  StoreResult<bool> put_back(const StepLease& lease, std::chrono::milliseconds delay,
                             const std::string& error) override;
  StoreResult<bool> give_up(const StepLease& lease, const std::string& diagnosis) override;
  StoreResult<bool> replay(const Uuid& inbox_id, const std::vector<std::string>& steps) override;
  StoreResult<std::vector<EventRow>> events(const EventFilter& filter, size_t limit) override;
  StoreResult<uint64_t> count(const EventFilter& filter) override;
  StoreResult<std::optional<StoredEvent>> find(const Uuid& inbox_id) override;
  StoreResult<std::map<std::string, uint64_t>> status_counts() override;
  StoreResult<std::optional<int64_t>> oldest_unprocessed_ms() override;
  StoreResult<void> log_operator(const OperatorAction& action) override;
  StoreResult<void> save_data_key(const DataKey& key) override;
  StoreResult<std::vector<DataKey>> data_keys() override;

 private:
  PostgresStore(const Options& options, std::string name);

  Status check();
  Status check_tables(Session& session);

  // `use(session)` on a session of `pool`, trying again after conflicts.
  template <typename Use>
  static auto with_session(SessionPool& pool, Use use);

  const Options options_;
  const std::string name_;
  Shared shared_;
  SessionPool committers_;
  SessionPool housekeeping_;  // data keys, without which nothing is accepted; partitions
  SessionPool others_;        // people and workers

  std::mutex maintain_mutex_;     // one at a time, the others pass by
  int64_t next_maintain_ms_ = 0;  // guarded by maintain_mutex_
};

// Makes the schema, or brings it up to date, and makes partitions ahead.
Status migrate_store(const std::string& dsn);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_POSTGRES_STORE_H_
