#include "processor/store/open_store.h"

#include <unistd.h>

#include "processor/store/sqlite/sqlite_store.h"

namespace webhook {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

Result<std::string> sqlite_path(const std::string& dsn) {
  if (dsn.starts_with("postgres://") || dsn.starts_with("postgresql://")) {
    return fail("the only store is the embedded one: write sqlite:PATH");
  }
  if (!dsn.starts_with(kSqlite) || dsn.size() == kSqlite.size()) {
    // Not repeated: it may hold a password.
    return fail("the store's DSN is of no known form: write sqlite:PATH");
  }
  // SQLite would read options from such a name, some of which switch off locks.
  if (dsn.starts_with("sqlite:file:")) {
    return fail("the store's DSN holds an SQLite URI: write sqlite:PATH, a plain path");
  }
  return dsn.substr(kSqlite.size());
}

Result<std::unique_ptr<Store>> open_store(const std::string& dsn) {
  const auto path = sqlite_path(dsn);
  if (!path) return tl::make_unexpected(path.error());
  auto store = sqlite::SqliteStore::open(*path);
  if (!store) return tl::make_unexpected(store.error());
  return std::move(*store);
}

Result<std::unique_ptr<Store>> open_store_read_only(const std::string& dsn) {
  const auto path = sqlite_path(dsn);
  if (!path) return tl::make_unexpected(path.error());
  if (access(path->c_str(), F_OK) != 0) return nullptr;
  auto store = sqlite::SqliteStore::open_read_only(*path);
  if (!store) return tl::make_unexpected(store.error());
  return std::move(*store);
}

}  // namespace webhook
