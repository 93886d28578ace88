#include "processor/store/sqlite/sqlite_store.h"

#include <unistd.h>

#include <chrono>

#include "processor/base/fault.h"
#include "processor/base/files.h"
#include "processor/base/log.h"
#include "processor/store/sqlite/instance_lock.h"
#include "processor/store/sqlite/migrator.h"

namespace webhook::sqlite {
namespace {

// A reader keeps the WAL from being reset.
constexpr std::chrono::seconds kMaxRead{3};

Status prepare_directory(const std::string& directory) {
  if (auto made = make_directories(directory, 0750); !made) return made;
  return check_file_system(directory);
}

template <typename T>
tl::unexpected<Error> as_error(const StoreResult<T>& result) {
  return tl::make_unexpected(Error{result.error().message});
}

// What is written to a file without a name, or with another's, is lost.
StoreError misplaced_store() {
  return {StoreError::Kind::kFatal, "the database file was removed or replaced while it was open"};
}

StoreError read_only_store() {
  return {StoreError::Kind::kFatal, "the store was opened for reading only"};
}

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path) {
  std::unique_ptr<SqliteStore> store(new SqliteStore(path));
  if (auto opened = store->open_writer(); !opened) {
    return tl::make_unexpected(opened.error());
  }
  if (auto opened = store->open_reader(); !opened) {
    return tl::make_unexpected(opened.error());
  }
  return store;
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open_read_only(const std::string& path) {
  std::unique_ptr<SqliteStore> store(new SqliteStore(path));
  if (auto opened = store->open_reader(); !opened) {
    return tl::make_unexpected(opened.error());
  }
  return store;
}

Status SqliteStore::open_writer() {
  const std::string directory = directory_of(path_);
  if (auto ready = prepare_directory(directory); !ready) return ready;
  auto lock = lock_instance(path_);
  if (!lock) return tl::make_unexpected(lock.error());
  lock_ = std::move(*lock);

  auto database = Database::open_writer(path_);
  if (!database) return as_error(database);
  if (auto migrated = migrate(*database); !migrated) return as_error(migrated);
  writer_ = std::make_unique<Connection>(std::move(*database));
  if (auto ready = writer_->statements.prepare_all(); !ready) {
    return as_error(ready);
  }
  return sync_directory(directory);
}

Status SqliteStore::open_reader() {
  auto database = Database::open_reader(path_);
  if (!database) return as_error(database);
  if (auto checked = check_schema(*database); !checked) {
    return as_error(checked);
  }
  reader_ = std::make_unique<Connection>(std::move(*database));
  if (auto ready = reader_->statements.prepare_all(); !ready) {
    return as_error(ready);
  }
  return {};
}

SqliteStore::~SqliteStore() {
  reader_.reset();
  if (!writer_ || failed_) return;
  if (auto emptied = writer_->database.checkpoint_all(); !emptied) {
    log(LogLevel::kWarning, "no checkpoint at the end", {{"why", emptied.error().message}});
  }
}

template <typename T, typename Write>
StoreResult<T> SqliteStore::write(Write write) {
  const std::lock_guard lock(write_mutex_);
  if (!writer_) return tl::make_unexpected(read_only_store());
  if (!failed_ && !is_in_place(lock_, path_)) failed_ = misplaced_store();
  if (failed_) return tl::make_unexpected(*failed_);
  StoreResult<T> result = write(*writer_);
  if (!result && result.error().kind == StoreError::Kind::kFatal) failed_ = result.error();
  return result;
}

StoreResult<std::vector<AcceptOutcome>> SqliteStore::accept(std::span<const AcceptRow> rows) {
  return write<std::vector<AcceptOutcome>>([rows](Connection& writer) {
    return BatchWriter(writer.database, writer.statements).accept(rows);
  });
}

StoreResult<void> SqliteStore::maintain() {
  return write<void>([](Connection& writer) -> StoreResult<void> {
    if (writer.database.wal_pages() < kCheckpointPages) return {};
    if (fault(FaultPoint::before_checkpoint)) {
      return tl::make_unexpected(StoreError{StoreError::Kind::kTransient, "fault point"});
    }
    return writer.database.checkpoint();
  });
}

StoreResult<std::vector<StepLease>> SqliteStore::claim(const std::string& step, size_t limit,
                                                       std::chrono::milliseconds duration) {
  return write<std::vector<StepLease>>(
      [&](Connection& writer) { return writer.steps().claim(step, limit, duration); });
}

StoreResult<std::vector<bool>> SqliteStore::complete(std::span<const StepLease> leases,
                                                     const std::string& result) {
  return write<std::vector<bool>>(
      [&](Connection& writer) { return writer.steps().complete(leases, result); });
}

StoreResult<bool> SqliteStore::put_back(const StepLease& lease, std::chrono::milliseconds delay,
                                        const std::string& error) {
  return write<bool>(
      [&](Connection& writer) { return writer.steps().put_back(lease, delay, error); });
}

StoreResult<bool> SqliteStore::give_up(const StepLease& lease, const std::string& diagnosis) {
  return write<bool>([&](Connection& writer) { return writer.steps().give_up(lease, diagnosis); });
}

StoreResult<bool> SqliteStore::replay(const Uuid& inbox_id, const std::vector<std::string>& steps) {
  return write<bool>([&](Connection& writer) { return writer.steps().replay(inbox_id, steps); });
}

StoreResult<void> SqliteStore::log_operator(const OperatorAction& action) {
  return write<void>([&action](Connection& writer) {
    Statement& insert = writer.statements.get("insert_operator_log");
    insert.bind_int(":at", action.at_ms);
    insert.bind_text(":operator", action.operator_name);
    insert.bind_text(":action", action.action);
    insert.bind_text(":reason", action.reason);
    if (action.inbox_id) {
      insert.bind_blob(":inbox_id", as_bytes(*action.inbox_id));
    } else {
      insert.bind_null(":inbox_id");
    }
    return insert.run();
  });
}

StoreResult<void> SqliteStore::save_data_key(const DataKey& key) {
  return write<void>([&key](Connection& writer) {
    Statement& insert = writer.statements.get("insert_data_key");
    insert.bind_blob(":key_id", as_bytes(key.key_id));
    insert.bind_text(":kind", data_key_kind(key.kind));
    insert.bind_int(":day", key.day);
    insert.bind_text(":kek", key.kek);
    insert.bind_blob(":wrapped", key.wrapped);
    insert.bind_int(":created_at", key.created_at_ms);
    return insert.run();
  });
}

template <typename Read>
auto SqliteStore::read(Read read) {
  const std::lock_guard lock(read_mutex_);
  reader_->database.limit_next_read(kMaxRead);
  return read(EventReader(reader_->statements));
}

StoreResult<std::vector<EventRow>> SqliteStore::events(const EventFilter& filter, size_t limit) {
  return read([&](EventReader reader) { return reader.events(filter, limit); });
}

StoreResult<uint64_t> SqliteStore::count(const EventFilter& filter) {
  return read([&](EventReader reader) { return reader.count(filter); });
}

StoreResult<std::optional<StoredEvent>> SqliteStore::find(const Uuid& inbox_id) {
  return read([&](EventReader reader) { return reader.find(inbox_id); });
}

StoreResult<std::map<std::string, uint64_t>> SqliteStore::status_counts() {
  return read([](EventReader reader) { return reader.status_counts(); });
}

StoreResult<std::optional<int64_t>> SqliteStore::oldest_unprocessed_ms() {
  return read([](EventReader reader) { return reader.oldest_unprocessed_ms(); });
}

StoreResult<std::vector<DataKey>> SqliteStore::data_keys() {
  return read([](EventReader reader) { return reader.data_keys(); });
}

}  // namespace webhook::sqlite
