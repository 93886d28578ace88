// What only the store on PostgreSQL promises.
#include "processor/store/postgres/postgres_store.h"

#include <gtest/gtest.h>

#include <thread>

#include "backends.h"
#include "processor/store/postgres/migrator.h"
#include "test_support.h"

namespace webhook::postgres {
namespace {

using testing::make_row;
using testing::PostgresDatabase;
using testing::PostgresEntry;
using Kind = AcceptOutcome::Kind;

Deadline soon() {
  return monotonic_ns() + 30'000 * kNsPerMs;
}

class PostgresStoreTest : public ::testing::TestWithParam<PostgresEntry> {
 protected:
  void SetUp() override { store_ = open(); }

  std::unique_ptr<Store> open() {
    auto store = database_.open();
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }

  AcceptOutcome accept(const AcceptRow& row) {
    const std::vector<AcceptRow> rows = {row};
    const auto outcomes = store_->accept(rows);
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes ? outcomes->front() : AcceptOutcome();
  }

  tl::expected<AcceptOutcome, StoreError> try_accept(const AcceptRow& row) {
    const std::vector<AcceptRow> rows = {row};
    return store_->accept(rows).map([](const auto& outcomes) { return outcomes.front(); });
  }

  uint64_t count() { return store_->count({}).value(); }

  PostgresDatabase database_{GetParam()};
  std::unique_ptr<Store> store_;
};

// Where connections are shared with others.
class PooledStoreTest : public PostgresStoreTest {};

TEST_P(PostgresStoreTest, NamesItselfWithoutThePassword) {
  EXPECT_TRUE(store_->name().starts_with("postgresql://")) << store_->name();
  EXPECT_GE(store_->max_committers(), 2u);
}

TEST_P(PostgresStoreTest, ALostConnectionIsMadeAnew) {
  accept(make_row("a"));
  database_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                database_.name() + "' AND pid <> pg_backend_pid()");
  EXPECT_EQ(accept(make_row("b")).kind, Kind::kAccepted) << "the same ids are sent again";
  EXPECT_EQ(accept(make_row("a")).kind, Kind::kDuplicate);
  EXPECT_EQ(count(), 2u);
}

TEST_P(PostgresStoreTest, RefusesUnloggedTables) {
  database_.run("ALTER TABLE outbox SET UNLOGGED");
  const auto refused = database_.open();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("UNLOGGED"), std::string::npos);
}

TEST_P(PostgresStoreTest, RefusesARoleThatDoesNotWaitForTheDisk) {
  store_.reset();
  database_.run("ALTER DATABASE " + database_.name() + " SET synchronous_commit = off");
  database_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                database_.name() + "' AND pid <> pg_backend_pid()");
  const auto refused = database_.open();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("synchronous_commit"), std::string::npos);
}

TEST_P(PostgresStoreTest, RefusesAnotherIsolation) {
  store_.reset();
  database_.run("ALTER DATABASE " + database_.name() +
                " SET default_transaction_isolation = 'serializable'");
  database_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                database_.name() + "' AND pid <> pg_backend_pid()");
  EXPECT_FALSE(database_.open());
}

// Another client's SET stays on the server connections of a pooler.
TEST_P(PooledStoreTest, ALeakedSynchronousCommitStoresNothing) {
  constexpr int kPool = 3;
  accept(make_row("before"));
  const auto on_every_connection = [this](const std::string& value) {
    std::vector<Connection> clients;
    for (int i = 0; i < kPool; ++i) {
      clients.push_back(*Connection::open(database_.options().dsn));
      ASSERT_TRUE(clients.back().execute("BEGIN; SET synchronous_commit = " + value, soon()));
    }
    for (Connection& client : clients) ASSERT_TRUE(client.execute("COMMIT", soon()));
  };
  on_every_connection("off");
  const auto refused = try_accept(make_row("during"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, StoreError::Kind::kTransient);
  on_every_connection("on");
  for (int i = 0; i < 50 && !try_accept(make_row("after")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(accept(make_row("during")).kind, Kind::kAccepted);
}

// A duplicate waits for the transaction of its twin, but not for ever.
TEST_P(PostgresStoreTest, AnUndecidedTwinIsNoDuplicate) {
  database_.run("ALTER DATABASE " + database_.name() + " SET lock_timeout = '200ms'");
  database_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                database_.name() + "' AND pid <> pg_backend_pid()");
  Connection other = database_.connect();
  const std::string insert =
      "INSERT INTO inbox (tenant, provider, endpoint, event_id, inbox_id, received_at, "
      "payload_digest, body_bytes, secret_version, status, steps_left) VALUES "
      "('t', 'stripe', 'main', 'e', gen_random_uuid(), now(), '', 0, '', 'RECEIVED', 1)";
  ASSERT_TRUE(other.execute("BEGIN; " + insert, soon()));
  const uint64_t begin = monotonic_ns();
  const auto undecided = try_accept(make_row("e"));
  ASSERT_FALSE(undecided);
  EXPECT_LT(monotonic_ns() - begin, 3000 * kNsPerMs);
  ASSERT_TRUE(other.execute("ROLLBACK", soon()));
  EXPECT_EQ(accept(make_row("e")).kind, Kind::kAccepted);
}

// PostgreSQL answers "INSERT 0 1" with a WARNING when the wait for a
// synchronous standby is cancelled, and shows the row from then on. Nobody may
// be told of it before the standby has it.
TEST_P(PostgresStoreTest, R1_ADuplicateIsNoLessDurableThanItsTwin) {
  const auto set_standby = [this](const std::string& name) {
    database_.run("ALTER SYSTEM SET synchronous_standby_names = '" + name + "'");
    database_.run("SELECT pg_reload_conf()");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  const auto cancel_waiting = [this] {
    database_.run(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  };
  accept(make_row("known"));
  set_standby("absent");
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    cancel_waiting();
  });
  const auto first = try_accept(make_row("e"));
  canceller.join();
  EXPECT_FALSE(first) << "a cancelled wait is no success";
  const auto duplicate = try_accept(make_row("e"));
  EXPECT_FALSE(duplicate) << "visible, but on no standby";
  const auto known = try_accept(make_row("known"));
  EXPECT_FALSE(known) << "what was there before waits as well: nobody can tell the two apart";
  set_standby("");
  cancel_waiting();
  EXPECT_EQ(accept(make_row("e")).kind, Kind::kDuplicate);
  EXPECT_EQ(count(), 2u);
}

TEST_P(PostgresStoreTest, PayloadsGoToTheirDay) {
  AcceptRow row = make_row("e");
  row.payload_day = unix_ms() / kMsPerDay + kPayloadDays;
  accept(row);
  AcceptRow far = make_row("far");
  far.payload_day = row.payload_day + 1000;
  accept(far);
  EXPECT_EQ(database_.ask("SELECT count(*) FROM payload"), "2");
  EXPECT_EQ(database_.ask("SELECT count(*) FROM payload_default"), "1");
  EXPECT_EQ((*store_->find(row.inbox_id))->blob, row.blob);
  EXPECT_EQ((*store_->find(far.inbox_id))->blob, far.blob);
}

TEST_P(PostgresStoreTest, ADayWithoutAPartitionStopsNothing) {
  AcceptRow row = make_row("e");
  row.payload_day = unix_ms() / kMsPerDay + kPayloadDays;
  database_.run(
      "DROP TABLE " +
      database_.ask("SELECT 'payload_' || to_char(now() + interval '30 days', 'YYYYMMDD')"));
  accept(row);
  EXPECT_TRUE(store_->maintain()) << "the default partition has rows of that day";
  EXPECT_EQ(accept(make_row("f")).kind, Kind::kAccepted);
  EXPECT_EQ((*store_->find(row.inbox_id))->blob, row.blob);
}

TEST_P(PostgresStoreTest, ManyMigrateAtOnce) {
  PostgresDatabase empty(GetParam(), false);
  const auto missing = empty.open();
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("--migrate"), std::string::npos);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&empty] {
      const auto migrated = migrate_store(empty.options().dsn);
      EXPECT_TRUE(migrated) << migrated.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(empty.open());
  EXPECT_TRUE(migrate_store(empty.options().dsn)) << "nothing to do is fine";
}

TEST_P(PostgresStoreTest, ANewerSchemaIsRefused) {
  database_.run("INSERT INTO schema_version VALUES (9999, now())");
  for (const std::string& message :
       {database_.open().error().message, migrate_store(database_.options().dsn).error().message}) {
    EXPECT_NE(message.find("schema 9999"), std::string::npos) << message;
    EXPECT_NE(message.find("newer webhook-processor"), std::string::npos) << message;
  }
}

TEST_P(PostgresStoreTest, AServerThatIsNotThereIsSaidSo) {
  const auto refused = open_store({.dsn = "postgresql://u:geheim@127.0.0.1:1/db"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no connection"), std::string::npos);
  EXPECT_EQ(refused.error().message.find("geheim"), std::string::npos);
}

// What other engines do not have, and what makes commits queue up.
TEST_P(PostgresStoreTest, TheSchemaNeedsNothingThatOthersLack) {
  const std::string relations = "relnamespace = 'public'::regnamespace";
  EXPECT_EQ(database_.ask("SELECT count(*) FROM pg_class WHERE relkind = 'S' AND " + relations),
            "0");
  EXPECT_EQ(database_.ask("SELECT count(*) FROM pg_trigger"), "0");
  EXPECT_EQ(database_.ask("SELECT count(*) FROM pg_constraint WHERE contype = 'f'"), "0");
  EXPECT_EQ(database_.ask("SELECT count(*) FROM pg_proc WHERE pronamespace = "
                          "'public'::regnamespace"),
            "0");
}

// Every unique key leads with the tenant, by which the tables are distributed.
TEST_P(PostgresStoreTest, TenantLeadsEveryKey) {
  EXPECT_EQ(database_.ask("SELECT coalesce(string_agg(c.relname, ', ' ORDER BY c.relname), '') "
                          "FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid "
                          "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
                          "WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique "
                          "AND a.attname <> 'tenant'"),
            "operator_log, schema_version");
}

INSTANTIATE_TEST_SUITE_P(Servers, PostgresStoreTest,
                         ::testing::ValuesIn(testing::postgres_entries()),
                         [](const auto& info) { return info.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresStoreTest);

std::vector<PostgresEntry> poolers() {
  std::vector<PostgresEntry> entries = testing::postgres_entries();
  std::erase_if(entries, [](const PostgresEntry& entry) { return entry.name != "pgbouncer"; });
  return entries;
}
INSTANTIATE_TEST_SUITE_P(Servers, PooledStoreTest, ::testing::ValuesIn(poolers()),
                         [](const auto& info) { return info.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PooledStoreTest);

}  // namespace
}  // namespace webhook::postgres
