#include "backends.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "processor/base/clock.h"
#include "test_support.h"

namespace webhook::testing {
namespace {

constexpr std::string_view kPlace = "%DB%";

postgres::Deadline soon() {
  return monotonic_ns() + 30'000 * kNsPerMs;
}

std::string next_name() {
  static int count = 0;
  return "t" + std::to_string(getpid()) + "_" + std::to_string(++count);
}

class SqliteHarness : public StoreHarness {
 public:
  StoreOptions options() const override { return {.dsn = "sqlite:" + dir_.file("made/inbox.db")}; }

 private:
  TempDir dir_;
};

// The database that the tests of one backend share; it goes with the server.
const PostgresDatabase& shared_database(const PostgresEntry& entry) {
  static auto& databases = *new std::map<std::string, std::unique_ptr<PostgresDatabase>>();
  auto& database = databases[entry.name];
  if (!database) database = std::make_unique<PostgresDatabase>(entry);
  return *database;
}

// Faster than a database of its own for each test.
class EmptiedPostgres : public StoreHarness {
 public:
  explicit EmptiedPostgres(const PostgresEntry& entry) : database_(shared_database(entry)) {
    database_.run(
        "TRUNCATE inbox, payload, outbox, processed, object_version, replay_guard, sequence_gap, "
        "data_key, operator_log");
  }
  StoreOptions options() const override { return database_.options(); }

 private:
  const PostgresDatabase& database_;
};

postgres::Connection connect_to(const std::string& dsn) {
  auto connection = postgres::Connection::open(dsn);
  if (!connection) throw std::runtime_error(connection.error().error.message);
  return std::move(*connection);
}

void execute(postgres::Connection connection, const std::string& sql) {
  const auto done = connection.execute(sql, soon());
  if (!done) throw std::runtime_error(sql + ": " + done.error().error.message);
}

}  // namespace

std::vector<PostgresEntry> postgres_entries() {
  std::vector<PostgresEntry> entries;
  const char* const text = std::getenv("WEBHOOK_TEST_STORES");
  if (text == nullptr) return entries;
  for (const auto& json : nlohmann::json::parse(text)) {
    PostgresEntry& entry = entries.emplace_back();
    entry.name = json.at("name");
    entry.admin = json.at("admin");
    entry.store = json.at("store");
    entry.user = json.at("user");
    entry.template_database = json.at("template");
    entry.after_create = json.value("after_create", std::vector<std::string>());
    entry.skip_locked = json.at("claim") == "skip_locked";
  }
  return entries;
}

PostgresDatabase::PostgresDatabase(const PostgresEntry& entry, bool migrated)
    : entry_(entry), name_(next_name()) {
  std::string create = "CREATE DATABASE " + name_ + " OWNER " + entry_.user;
  if (!entry_.template_database.empty()) create += " TEMPLATE " + entry_.template_database;
  execute(connect_to(entry_.admin), create);
  for (const std::string& sql : entry_.after_create) run(in_database(sql));
  if (!migrated) return;
  const Status done = migrate_store(options());
  if (!done) throw std::runtime_error(done.error().message);
}

PostgresDatabase::~PostgresDatabase() {
  try {
    execute(connect_to(entry_.admin), "DROP DATABASE " + name_ + " WITH (FORCE)");
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

StoreOptions PostgresDatabase::options() const {
  return {.dsn = in_database(entry_.store), .skip_locked = entry_.skip_locked};
}

void PostgresDatabase::run(const std::string& sql) const {
  execute(connect(), sql);
}

std::string PostgresDatabase::ask(const std::string& sql) const {
  const auto rows = connect().run("", "SELECT (" + sql + ")::text", postgres::Params(), soon());
  if (!rows) throw std::runtime_error(sql + ": " + rows.error().error.message);
  return rows->text(0, 0);
}

postgres::Connection PostgresDatabase::connect() const {
  return connect_to(admin_dsn());
}

std::string PostgresDatabase::in_database(std::string text) const {
  const size_t at = text.find(kPlace);
  if (at != std::string::npos) text.replace(at, kPlace.size(), name_);
  return text;
}

std::string PostgresDatabase::admin_dsn() const {
  std::string dsn = entry_.admin;
  const size_t at = dsn.find("/postgres?");
  return dsn.replace(at, std::string_view("/postgres").size(), "/" + name_);
}

std::vector<Backend> all_backends() {
  std::vector<Backend> backends = {{"sqlite", [] { return std::make_unique<SqliteHarness>(); }}};
  for (const PostgresEntry& entry : postgres_entries()) {
    backends.push_back({entry.name, [entry] { return std::make_unique<EmptiedPostgres>(entry); }});
  }
  return backends;
}

}  // namespace webhook::testing
