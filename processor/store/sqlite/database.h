#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_DATABASE_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_DATABASE_H_

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "processor/store/sqlite/statement.h"
#include "processor/store/store.h"

namespace webhook::sqlite {

// One connection. Not thread-safe.
class Database {
 public:
  // The one connection that writes and checkpoints. Makes the file (mode 0640)
  // when it is missing. Durability settings are set and read back.
  static StoreResult<Database> open_writer(const std::string& path);

  // For short reads beside the writer.
  static StoreResult<Database> open_reader(const std::string& path);

  // Runs statements that give no rows, separated by ';'.
  StoreResult<void> execute(const std::string& sql);

  StoreResult<Statement> prepare(std::string_view sql);

  // Pages in the WAL after the last commit.
  int wal_pages() const { return *wal_pages_; }

  // Copies what it can into the database file; never waits for readers.
  StoreResult<void> checkpoint();

  // Empties the WAL. Waits for readers for the busy timeout.
  StoreResult<void> checkpoint_all();

  // A read that is under way for longer than `limit` fails as transient.
  // Counted from each call.
  void limit_next_read(std::chrono::milliseconds limit);

  // Rows that the last insert, update or delete touched.
  int changes() const { return sqlite3_changes(db_.get()); }

  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }
  StoreError error(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };

  static StoreResult<Database> open(const std::string& path, int flags, const char* vfs);
  StoreResult<void> configure_writer();
  StoreResult<void> expect_pragma(const std::string& name, std::string_view value);

  std::unique_ptr<sqlite3, Close> db_;
  // On the heap: SQLite's callbacks keep their addresses over a move.
  std::unique_ptr<int> wal_pages_ = std::make_unique<int>(0);
  std::unique_ptr<uint64_t> read_until_ns_ = std::make_unique<uint64_t>(0);
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_DATABASE_H_
