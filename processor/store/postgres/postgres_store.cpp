#include "processor/store/postgres/postgres_store.h"

#include <utility>

#include "processor/base/clock.h"
#include "processor/base/log.h"
#include "processor/store/postgres/batch_writer.h"
#include "processor/store/postgres/conninfo.h"
#include "processor/store/postgres/event_reader.h"
#include "processor/store/postgres/migrator.h"
#include "processor/store/postgres/payload_partitions.h"
#include "webhook_sql.h"

namespace webhook::postgres {
namespace {

constexpr uint64_t kStatementNs = 3000 * kNsPerMs;
constexpr int kMaxTries = 5;
// Of each of the pools beside the committers.
constexpr size_t kOtherSessions = 1;
constexpr int64_t kMaintainEveryMs = 60'000;

Deadline statement_deadline() {
  return monotonic_ns() + kStatementNs;
}

tl::unexpected<Error> as_error(const PgError& error) {
  return tl::make_unexpected(Error{error.error.message});
}

template <typename T>
StoreResult<T> as_store_result(PgResult<T> result) {
  return std::move(result).map_error([](PgError error) { return std::move(error.error); });
}

void fill(Shared& shared, const std::string& dsn) {
  shared.dsn = dsn;
  shared.statements = split_statements(sql::text("postgres/statements.sql"));
}

// Without a bound a duplicate waits for as long as its twin's transaction.
void warn_of_lock_timeout(const ServerFacts& facts) {
  if (facts.lock_timeout != "0") return;
  log(LogLevel::kWarning,
      "lock_timeout is 0 for this role: ALTER ROLE ... SET lock_timeout = '1s' (sql/postgres/"
      "roles.sql does) bounds the wait for another processor's transaction");
}

}  // namespace

PostgresStore::PostgresStore(const Options& options, std::string name)
    : options_(options),
      name_(std::move(name)),
      committers_(shared_, options.connections),
      housekeeping_(shared_, kOtherSessions),
      others_(shared_, kOtherSessions) {
  fill(shared_, options.dsn);
}

Result<std::unique_ptr<PostgresStore>> PostgresStore::open(const Options& options) {
  auto name = printable_dsn(options.dsn);
  if (!name) return tl::make_unexpected(name.error());
  std::unique_ptr<PostgresStore> store(new PostgresStore(options, std::move(*name)));
  if (auto checked = store->check(); !checked) return tl::make_unexpected(checked.error());
  return store;
}

Status PostgresStore::check() {
  auto session = housekeeping_.take();
  if (auto connected = (*session).connect(); !connected) return as_error(connected.error());
  if (auto checked = check_schema(*session); !checked) return as_error(checked.error());
  warn_of_lock_timeout((*session).facts());
  return check_tables(*session);
}

// What an UNLOGGED table holds is gone after a crash.
Status PostgresStore::check_tables(Session& session) {
  const auto unlogged = session.run("unlogged_tables", Params(), statement_deadline());
  if (!unlogged) return as_error(unlogged.error());
  if (unlogged->size() == 0) return {};
  return fail("table {} is UNLOGGED, so a crash empties it: ALTER TABLE {} SET LOGGED",
              unlogged->text(0, 0), unlogged->text(0, 0));
}

StoreResult<std::vector<AcceptOutcome>> PostgresStore::accept(std::span<const AcceptRow> rows) {
  auto session = committers_.take();
  return BatchWriter(*session, rows).accept();
}

// A day without a partition is worth a warning, not a failure: the default
// partition takes its payloads.
StoreResult<void> PostgresStore::maintain() {
  const std::unique_lock lock(maintain_mutex_, std::try_to_lock);
  const int64_t now_ms = unix_ms();
  if (!lock || now_ms < next_maintain_ms_) return {};
  next_maintain_ms_ = now_ms + kMaintainEveryMs;
  auto session = housekeeping_.take();
  if (auto made = make_payload_partitions(*session, now_ms, kPartitionsAhead); !made) {
    log(LogLevel::kWarning,
        "payload partitions are missing and cannot be made here: run webhook-processor --migrate "
        "as the owner of the tables",
        {{"why", made.error().error.message}});
  }
  return {};
}

template <typename Use>
auto PostgresStore::with_session(SessionPool& pool, Use use) {
  auto session = pool.take();
  for (int tries = 1;; ++tries) {
    auto done = use(*session);
    const bool again = !done && (done.error().lost_statement ||
                                 done.error().error.kind == StoreError::Kind::kConflict);
    if (!again || tries >= kMaxTries) return as_store_result(std::move(done));
  }
}

StoreResult<std::vector<StepLease>> PostgresStore::claim(const std::string& step, size_t limit,
                                                         std::chrono::milliseconds duration) {
  return with_session(others_, [&](Session& session) {
    return StepQueue(session, options_.claim, statement_deadline()).claim(step, limit, duration);
  });
}

StoreResult<std::vector<bool>> PostgresStore::complete(std::span<const StepLease> leases,
                                                       const std::string& result) {
  return with_session(others_, [&](Session& session) {
    return StepQueue(session, options_.claim, statement_deadline()).complete(leases, result);
  });
}

StoreResult<bool> PostgresStore::put_back(const StepLease& lease, std::chrono::milliseconds delay,
                                          const std::string& error) {
  return with_session(others_, [&](Session& session) {
    return StepQueue(session, options_.claim, statement_deadline()).put_back(lease, delay, error);
  });
}

StoreResult<bool> PostgresStore::give_up(const StepLease& lease, const std::string& diagnosis) {
  return with_session(others_, [&](Session& session) {
    return StepQueue(session, options_.claim, statement_deadline()).give_up(lease, diagnosis);
  });
}

// A step that ends in between makes it look again.
StoreResult<bool> PostgresStore::replay(const Uuid& inbox_id,
                                        const std::vector<std::string>& steps) {
  return with_session(others_, [&](Session& session) -> PgResult<bool> {
    const Deadline deadline = statement_deadline();
    const auto found = EventReader(session, deadline).find(inbox_id);
    if (!found) return tl::make_unexpected(found.error());
    if (!*found || !can_replay((*found)->event.status)) return false;
    auto replayed = StepQueue(session, options_.claim, deadline).replay((*found)->event, steps);
    if (!replayed || *replayed) return replayed;
    return tl::make_unexpected(
        PgError{{StoreError::Kind::kConflict, "the event changed while it was replayed"}});
  });
}

StoreResult<std::vector<EventRow>> PostgresStore::events(const EventFilter& filter, size_t limit) {
  return with_session(others_, [&](Session& session) {
    return EventReader(session, statement_deadline()).events(filter, limit);
  });
}

StoreResult<uint64_t> PostgresStore::count(const EventFilter& filter) {
  return with_session(others_, [&](Session& session) {
    return EventReader(session, statement_deadline()).count(filter);
  });
}

StoreResult<std::optional<StoredEvent>> PostgresStore::find(const Uuid& inbox_id) {
  return with_session(others_, [&](Session& session) {
    return EventReader(session, statement_deadline()).find(inbox_id);
  });
}

StoreResult<std::map<std::string, uint64_t>> PostgresStore::status_counts() {
  return with_session(others_, [&](Session& session) {
    return EventReader(session, statement_deadline()).status_counts();
  });
}

StoreResult<std::optional<int64_t>> PostgresStore::oldest_unprocessed_ms() {
  return with_session(others_, [&](Session& session) {
    return EventReader(session, statement_deadline()).oldest_unprocessed_ms();
  });
}

StoreResult<void> PostgresStore::log_operator(const OperatorAction& action) {
  Params params;
  params.add(make_uuid7(action.at_ms))
      .add(Timestamp{action.at_ms})
      .add(Text{action.operator_name})
      .add(Text{action.action})
      .add(action.inbox_id)
      .add(Text{action.reason});
  return with_session(others_, [&](Session& session) {
    return session.run("insert_operator_log", params, statement_deadline()).map([](const Rows&) {});
  });
}

StoreResult<void> PostgresStore::save_data_key(const DataKey& key) {
  Params params;
  params.add(Bytes{as_bytes(key.key_id)})
      .add(Text{data_key_kind(key.kind)})
      .add(Date{key.day})
      .add(Text{key.kek})
      .add(Bytes{key.wrapped})
      .add(Timestamp{key.created_at_ms});
  return with_session(housekeeping_, [&](Session& session) {
    return session.run("insert_data_key", params, statement_deadline()).map([](const Rows&) {});
  });
}

StoreResult<std::vector<DataKey>> PostgresStore::data_keys() {
  return with_session(housekeeping_, [&](Session& session) {
    return EventReader(session, statement_deadline()).data_keys();
  });
}

Status migrate_store(const std::string& dsn) {
  if (auto name = printable_dsn(dsn); !name) return tl::make_unexpected(name.error());
  Shared shared;
  fill(shared, dsn);
  Session session(shared);
  if (auto migrated = migrate(session); !migrated) return as_error(migrated.error());
  if (auto made = make_payload_partitions(session, unix_ms(), kPartitionsAtMigration); !made)
    return as_error(made.error());
  return {};
}

}  // namespace webhook::postgres
