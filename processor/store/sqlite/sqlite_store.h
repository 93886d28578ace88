#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_SQLITE_STORE_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_SQLITE_STORE_H_

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "processor/base/result.h"
#include "processor/base/unique_fd.h"
#include "processor/store/sqlite/batch_writer.h"
#include "processor/store/sqlite/database.h"
#include "processor/store/sqlite/event_reader.h"
#include "processor/store/sqlite/named_statements.h"
#include "processor/store/sqlite/step_queue.h"
#include "processor/store/store.h"

namespace webhook::sqlite {

// The embedded store: one file, one process. One connection writes and
// checkpoints, under one mutex; another reads, under another.
class SqliteStore : public Store {
 public:
  // WAL pages after which maintain() checkpoints: some 4 MiB, the measured middle
  // between stalls and repeated work.
  static constexpr int kCheckpointPages = 1000;

  // Makes directory and file where missing and brings the schema up to date.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path);

  // Only reads and refuses every write; the file must exist. Does not lock
  // out a running processor.
  static Result<std::unique_ptr<SqliteStore>> open_read_only(const std::string& path);

  ~SqliteStore() override;

  std::string name() const override { return "sqlite:" + path_; }
  size_t max_committers() const override { return 1; }
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
  // A connection with its statements, which must die before it.
  struct Connection {
    explicit Connection(Database opened) : database(std::move(opened)), statements(database) {}
    StepQueue steps() { return {database, statements}; }
    Database database;
    NamedStatements statements;
  };

  explicit SqliteStore(std::string path) : path_(std::move(path)) {}

  Status open_writer();
  Status open_reader();

  // `write(Connection&)` on the writing connection. After a fatal error nothing
  // more is written: what seems to work then proves nothing.
  template <typename T, typename Write>
  StoreResult<T> write(Write write);

  // `read(EventReader)` on the reading connection, within a time limit.
  template <typename Read>
  auto read(Read read);

  const std::string path_;
  UniqueFd lock_;

  std::mutex write_mutex_;            // guards the writer
  std::optional<StoreError> failed_;  // guarded by write_mutex_
  std::unique_ptr<Connection> writer_;

  std::mutex read_mutex_;  // guards the reader
  std::unique_ptr<Connection> reader_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_SQLITE_STORE_H_
