#include "processor/store/sqlite/error.h"

#include <spdlog/fmt/fmt.h>

namespace webhook::sqlite {
namespace {

StoreError::Kind kind_of(int code) {
  switch (code & 0xff) {  // the primary code of an extended one
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH: return StoreError::Kind::kPoison;
    // A full disk rolls the whole batch back, cleanly.
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_INTERRUPT:
    // Nobody else may write, so these mean that somebody opened the file.
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return StoreError::Kind::kTransient;
    // Above all SQLITE_IOERR: after a failed fsync the kernel may have dropped
    // the pages, and a second try would report a success that is none.
    default: return StoreError::Kind::kFatal;
  }
}

}  // namespace

StoreError to_store_error(int code, sqlite3* db) {
  return {kind_of(code),
          fmt::format("SQLite: {} ({})", db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code),
                      code)};
}

}  // namespace webhook::sqlite
