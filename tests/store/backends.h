// The stores that this run tests against.
#ifndef WEBHOOK_TESTS_STORE_BACKENDS_H_
#define WEBHOOK_TESTS_STORE_BACKENDS_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "processor/store/open_store.h"
#include "processor/store/postgres/connection.h"

namespace webhook::testing {

// One store that can be closed and opened again.
class StoreHarness {
 public:
  virtual ~StoreHarness() = default;
  virtual StoreOptions options() const = 0;
  Result<std::unique_ptr<Store>> open() const { return open_store(options()); }
};

struct Backend {
  std::string name;
  std::function<std::unique_ptr<StoreHarness>()> make;
};

// How GoogleTest shows one.
inline void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

// An entry of WEBHOOK_TEST_STORES, which tests/store/with_stores.py writes.
struct PostgresEntry {
  std::string name;
  std::string admin;
  std::string store;
  std::string user;
  std::string template_database;
  std::vector<std::string> after_create;
  bool skip_locked = true;
};

inline void PrintTo(const PostgresEntry& entry, std::ostream* out) {
  *out << entry.name;
}

// Empty without WEBHOOK_TEST_STORES.
std::vector<PostgresEntry> postgres_entries();

// A database of its own, gone at the end.
class PostgresDatabase : public StoreHarness {
 public:
  // Without a schema when `migrated` is false.
  explicit PostgresDatabase(const PostgresEntry& entry, bool migrated = true);
  ~PostgresDatabase() override;

  StoreOptions options() const override;
  const std::string& name() const { return name_; }

  // Runs SQL in this database as administrator.
  void run(const std::string& sql) const;
  // The first value, as text.
  std::string ask(const std::string& sql) const;
  // A connection of the administrator's to this database.
  postgres::Connection connect() const;

 private:
  std::string in_database(std::string text) const;
  std::string admin_dsn() const;

  const PostgresEntry entry_;
  const std::string name_;
};

// SQLite, then what postgres_entries() gives.
std::vector<Backend> all_backends();

}  // namespace webhook::testing

#endif  // WEBHOOK_TESTS_STORE_BACKENDS_H_
