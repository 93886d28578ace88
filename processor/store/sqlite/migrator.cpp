#include "processor/store/sqlite/migrator.h"

#include <string>
#include <vector>

#include "processor/base/clock.h"
#include "processor/base/fault.h"
#include "processor/base/log.h"
#include "processor/store/sql_files.h"

namespace webhook::sqlite {
namespace {

StoreError fatal(std::string message) {
  return {StoreError::Kind::kFatal, std::move(message)};
}

// 0 for a database without schema.
StoreResult<int64_t> current_version(Database& database) {
  auto exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'");
  if (!exists) return tl::make_unexpected(exists.error());
  const auto row = exists->step();
  if (!row) return tl::make_unexpected(row.error());
  if (!*row) return 0;
  auto newest = database.prepare("SELECT max(version) FROM schema_version");
  if (!newest) return tl::make_unexpected(newest.error());
  if (const auto read = newest->step(); !read) {
    return tl::make_unexpected(read.error());
  }
  return newest->integer(0);
}

StoreResult<void> apply(Database& database, const Migration& migration) {
  if (fault(FaultPoint::before_migration)) {
    return tl::make_unexpected(fatal("fault point"));
  }
  const std::string script = fmt::format(
      "BEGIN IMMEDIATE;{};"
      "INSERT INTO schema_version (version, applied_at) "
      "VALUES ({}, {});COMMIT;",
      migration.sql, migration.version, unix_ms());
  auto applied = database.execute(script);
  if (!applied && database.in_transaction()) (void)database.execute("ROLLBACK");
  return applied;
}

}  // namespace

StoreResult<void> migrate(Database& database) {
  const std::vector<Migration> migrations = known_migrations("sqlite");
  const auto version = current_version(database);
  if (!version) return tl::make_unexpected(version.error());
  if (auto known = check_not_newer(*version, migrations); !known) return known;
  auto made = database.execute(
      "CREATE TABLE IF NOT EXISTS schema_version ("
      " version INTEGER NOT NULL PRIMARY KEY,"
      " applied_at INTEGER NOT NULL) STRICT");
  if (!made) return made;
  for (const Migration& migration : migrations) {
    if (migration.version <= *version) continue;
    if (auto applied = apply(database, migration); !applied) return applied;
    log(LogLevel::kInfo, "schema migrated", {{"version", int64_t{migration.version}}});
  }
  return {};
}

StoreResult<void> check_schema(Database& database) {
  const auto version = current_version(database);
  if (!version) return tl::make_unexpected(version.error());
  return check_not_newer(*version, known_migrations("sqlite"));
}

}  // namespace webhook::sqlite
