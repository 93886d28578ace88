#include "processor/store/open_store.h"

#include <unistd.h>

#include <string_view>

#include "processor/base/files.h"
#include "processor/store/postgres/conninfo.h"
#include "processor/store/postgres/postgres_store.h"
#include "processor/store/sqlite/sqlite_store.h"

namespace webhook {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

std::string sqlite_path(const std::string& dsn) {
  return dsn.substr(kSqlite.size());
}

template <typename Opened>
Result<std::unique_ptr<Store>> as_store(Opened opened) {
  if (!opened) return tl::make_unexpected(opened.error());
  return std::move(*opened);
}

Result<std::unique_ptr<Store>> open_postgres(const StoreOptions& options) {
  const auto claim =
      options.skip_locked ? postgres::ClaimDialect::kSkipLocked : postgres::ClaimDialect::kRecheck;
  return as_store(postgres::PostgresStore::open({options.dsn, options.connections, claim}));
}

}  // namespace

Status check_dsn(const std::string& dsn) {
  if (postgres::is_postgres_dsn(dsn)) {
    if (auto readable = postgres::printable_dsn(dsn); !readable) {
      return tl::make_unexpected(readable.error());
    }
    return {};
  }
  if (!dsn.starts_with(kSqlite) || dsn.size() == kSqlite.size()) {
    // Not repeated: it may hold a password.
    return fail(
        "the store's DSN is of no known form: write sqlite:PATH or "
        "postgresql://USER@HOST:PORT/DATABASE");
  }
  // SQLite would read options from such a name, some of which switch off locks.
  if (dsn.starts_with("sqlite:file:")) {
    return fail("the store's DSN holds an SQLite URI: write sqlite:PATH, a plain path");
  }
  return {};
}

std::string default_key_ring_path(const std::string& dsn) {
  const bool embedded = dsn.starts_with(kSqlite);
  return (embedded ? directory_of(sqlite_path(dsn)) : "/var/lib/webhook") + "/keys";
}

Result<std::unique_ptr<Store>> open_store(const StoreOptions& options) {
  if (auto known = check_dsn(options.dsn); !known) return tl::make_unexpected(known.error());
  if (postgres::is_postgres_dsn(options.dsn)) return open_postgres(options);
  return as_store(sqlite::SqliteStore::open(sqlite_path(options.dsn)));
}

Result<std::unique_ptr<Store>> open_store_read_only(const StoreOptions& options) {
  if (auto known = check_dsn(options.dsn); !known) return tl::make_unexpected(known.error());
  if (postgres::is_postgres_dsn(options.dsn)) return open_postgres(options);
  const std::string path = sqlite_path(options.dsn);
  if (access(path.c_str(), F_OK) != 0) return nullptr;
  return as_store(sqlite::SqliteStore::open_read_only(path));
}

Status migrate_store(const StoreOptions& options) {
  if (auto known = check_dsn(options.dsn); !known) return known;
  if (postgres::is_postgres_dsn(options.dsn)) return postgres::migrate_store(options.dsn);
  const auto store = open_store(options);
  if (!store) return tl::make_unexpected(store.error());
  return {};
}

}  // namespace webhook
