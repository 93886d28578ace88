#include "processor/store/sqlite/database.h"

#include <fcntl.h>

#include "processor/base/clock.h"
#include "processor/base/files.h"
#include "processor/base/unique_fd.h"
#include "processor/store/sqlite/buffered_wal.h"
#include "processor/store/sqlite/error.h"

namespace webhook::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 1000;
constexpr int kProgressSteps = 10'000;

// page_size only acts on a new file. wal_autocheckpoint=0: a checkpoint
// happens where we choose, and on this connection alone - SQLite before 3.51.3
// can lose commits when two connections checkpoint and write. Pages are small
// because an event changes two at random, of its id and of its signature, each of
// which goes to disk whole. The cache (16 MiB) is walked at each commit.
constexpr char kWriterPragmas[] =
    "PRAGMA page_size=4096;"
    "PRAGMA cache_size=-16384;"
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"
    "PRAGMA wal_autocheckpoint=0;"
    "PRAGMA journal_size_limit=67108864;"
    "PRAGMA mmap_size=0;"
    "PRAGMA foreign_keys=OFF;"
    "PRAGMA trusted_schema=OFF;";

constexpr char kReaderPragmas[] =
    "PRAGMA query_only=ON;"
    "PRAGMA mmap_size=0;"
    "PRAGMA trusted_schema=OFF;";

int on_wal_commit(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

int on_progress(void* until_ns) {
  return monotonic_ns() > *static_cast<uint64_t*>(until_ns) ? 1 : 0;
}

// SQLite would make the file 0644.
StoreResult<void> create_file(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640));
  if (fd) return {};
  return tl::make_unexpected(StoreError{StoreError::Kind::kFatal,
                                        fmt::format("cannot open {}: {}", path, last_os_error())});
}

}  // namespace

StoreResult<Database> Database::open(const std::string& path, int flags, const char* vfs) {
  Database database;
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX, vfs);
  database.db_.reset(db);
  if (code != SQLITE_OK) return tl::make_unexpected(database.error(code));
  sqlite3_extended_result_codes(db, 1);
  sqlite3_busy_timeout(db, kBusyTimeoutMs);
  return database;
}

StoreResult<Database> Database::open_writer(const std::string& path) {
  if (auto created = create_file(path); !created) {
    return tl::make_unexpected(created.error());
  }
  auto database = open(path, SQLITE_OPEN_READWRITE, buffered_wal_vfs());
  if (!database) return database;
  if (auto configured = database->configure_writer(); !configured) {
    return tl::make_unexpected(configured.error());
  }
  return database;
}

StoreResult<Database> Database::open_reader(const std::string& path) {
  auto database = open(path, SQLITE_OPEN_READONLY, nullptr);
  if (!database) return database;
  if (auto set = database->execute(kReaderPragmas); !set) {
    return tl::make_unexpected(set.error());
  }
  sqlite3_progress_handler(database->db_.get(), kProgressSteps, on_progress,
                           database->read_until_ns_.get());
  database->limit_next_read(std::chrono::seconds(10));
  return database;
}

StoreResult<void> Database::configure_writer() {
  if (auto set = execute(kWriterPragmas); !set) return set;
  // Read back: what these are by default, and whether they can be set at all,
  // differs between builds and file systems.
  if (auto is = expect_pragma("journal_mode", "wal"); !is) return is;
  if (auto is = expect_pragma("synchronous", "2"); !is) return is;
  if (auto is = expect_pragma("wal_autocheckpoint", "0"); !is) return is;
  // After the pragma: wal_autocheckpoint uses the same hook.
  sqlite3_wal_hook(db_.get(), on_wal_commit, wal_pages_.get());
  return {};
}

StoreResult<void> Database::expect_pragma(const std::string& name, std::string_view value) {
  auto statement = prepare("PRAGMA " + name);
  if (!statement) return tl::make_unexpected(statement.error());
  const auto row = statement->step();
  if (!row) return tl::make_unexpected(row.error());
  const std::string actual = *row ? statement->text(0) : "";
  if (actual == value) return {};
  return tl::make_unexpected(
      StoreError{StoreError::Kind::kFatal,
                 fmt::format("SQLite: {} is '{}' and cannot be made '{}'", name, actual, value)});
}

StoreResult<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::make_unexpected(error(code));
  return {};
}

StoreResult<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return tl::make_unexpected(error(code));
  return Statement(statement);
}

StoreResult<void> Database::checkpoint() {
  const int code =
      sqlite3_wal_checkpoint_v2(db_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  *wal_pages_ = 0;
  if (code != SQLITE_OK) return tl::make_unexpected(error(code));
  return {};
}

StoreResult<void> Database::checkpoint_all() {
  const int code =
      sqlite3_wal_checkpoint_v2(db_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::make_unexpected(error(code));
  return {};
}

void Database::limit_next_read(std::chrono::milliseconds limit) {
  *read_until_ns_ = monotonic_ns() + static_cast<uint64_t>(limit.count()) * kNsPerMs;
}

StoreError Database::error(int code) const {
  return to_store_error(code, db_.get());
}

}  // namespace webhook::sqlite
