#include "processor/store/postgres/migrator.h"

#include "processor/base/clock.h"
#include "processor/base/fault.h"
#include "processor/base/log.h"

namespace webhook::postgres {
namespace {

// For a lock, an index over a large table, and the like.
constexpr uint64_t kMigrationNs = 3'600'000 * kNsPerMs;
constexpr uint64_t kCheckNs = 5000 * kNsPerMs;
constexpr int kTries = 5;

// Two sessions that make one table at once can collide in the catalog.
constexpr char kMakeVersionTable[] =
    "CREATE TABLE IF NOT EXISTS schema_version ("
    " version integer NOT NULL PRIMARY KEY,"
    " applied_at timestamptz NOT NULL)";

PgError fatal(std::string message) {
  return {{StoreError::Kind::kFatal, std::move(message)}};
}

// 0 for a database without schema.
PgResult<int64_t> current_version(Session& session, Deadline deadline) {
  const auto exists = session.run("schema_exists", Params(), deadline);
  if (!exists) return tl::make_unexpected(exists.error());
  if (!exists->boolean(0, 0)) return 0;
  return session.run("schema_version", Params(), deadline).map([](const Rows& rows) {
    return rows.is_null(0, 0) ? int64_t{0} : rows.integer(0, 0);
  });
}

PgResult<void> refuse_newer(int64_t version, const std::vector<Migration>& migrations) {
  return check_not_newer(version, migrations).map_error([](StoreError error) {
    return PgError{std::move(error)};
  });
}

PgResult<void> make_version_table(Session& session, Deadline deadline) {
  PgResult<void> made;
  for (int tries = 0; tries < kTries; ++tries) {
    made = session.execute(kMakeVersionTable, deadline);
    if (made) return made;
  }
  return made;
}

PgResult<void> apply(Session& session, const Migration& migration, Deadline deadline) {
  if (fault(FaultPoint::before_migration)) return tl::make_unexpected(fatal("fault point"));
  return session.execute(
      fmt::format("{}; INSERT INTO schema_version (version, applied_at) VALUES ({}, now())",
                  migration.sql, migration.version),
      deadline);
}

// Inside of the transaction that holds the lock.
PgResult<void> apply_missing(Session& session, Deadline deadline) {
  const std::vector<Migration> migrations = known_migrations("postgres");
  const auto version = current_version(session, deadline);
  if (!version) return tl::make_unexpected(version.error());
  if (auto known = refuse_newer(*version, migrations); !known) return known;
  for (const Migration& migration : migrations) {
    if (migration.version <= *version) continue;
    if (auto applied = apply(session, migration, deadline); !applied) return applied;
    log(LogLevel::kInfo, "schema migrated", {{"version", int64_t{migration.version}}});
  }
  return session.execute("COMMIT", deadline);
}

}  // namespace

PgResult<void> migrate(Session& session) {
  const Deadline deadline = monotonic_ns() + kMigrationNs;
  if (auto made = make_version_table(session, deadline); !made) return made;
  if (auto locked =
          session.execute("BEGIN; LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE", deadline);
      !locked) {
    return locked;
  }
  auto applied = apply_missing(session, deadline);
  if (!applied) (void)session.execute("ROLLBACK", deadline);
  return applied;
}

PgResult<void> check_schema(Session& session) {
  const std::vector<Migration> migrations = known_migrations("postgres");
  const auto version = current_version(session, monotonic_ns() + kCheckNs);
  if (!version) return tl::make_unexpected(version.error());
  if (auto known = refuse_newer(*version, migrations); !known) return known;
  if (*version == migrations.back().version) return {};
  return tl::make_unexpected(
      fatal(fmt::format("the store has {}, this build needs schema {}: run "
                        "webhook-processor --migrate as the owner of the database",
                        *version == 0 ? "no schema" : fmt::format("schema {}", *version),
                        migrations.back().version)));
}

}  // namespace webhook::postgres
