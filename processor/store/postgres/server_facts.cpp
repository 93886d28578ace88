#include "processor/store/postgres/server_facts.h"

namespace webhook::postgres {
namespace {

constexpr int kOldestVersion = 130000;

Status must_be_on(const char* setting, const std::string& value) {
  if (value == "on") return {};
  return fail("PostgreSQL has {} = {}, with which a crash loses accepted events: set it to on",
              setting, value);
}

}  // namespace

ServerFacts read_server_facts(const Rows& rows) {
  ServerFacts facts;
  facts.version = static_cast<int>(rows.integer(0, 0));
  facts.backend_pid = static_cast<int>(rows.integer(0, 1));
  facts.fsync = rows.text(0, 2);
  facts.full_page_writes = rows.text(0, 3);
  facts.synchronous_commit = rows.text(0, 4);
  facts.encoding = rows.text(0, 5);
  facts.isolation = rows.text(0, 6);
  facts.read_only = rows.text(0, 7);
  facts.in_recovery = rows.boolean(0, 8);
  facts.lock_timeout = rows.text(0, 9);
  return facts;
}

Status check_server(const ServerFacts& facts) {
  if (facts.version < kOldestVersion) {
    return fail("PostgreSQL is of version {}: 13 or later is needed", facts.version / 10000);
  }
  if (facts.in_recovery || facts.read_only == "on") {
    return fail("PostgreSQL is read-only here: name the primary in the DSN");
  }
  if (auto on = must_be_on("fsync", facts.fsync); !on) return on;
  if (auto on = must_be_on("full_page_writes", facts.full_page_writes); !on) return on;
  if (facts.synchronous_commit == "off") {
    return fail(
        "PostgreSQL has synchronous_commit = off for this role, with which a crash loses "
        "accepted events: ALTER ROLE ... SET synchronous_commit = on");
  }
  if (facts.encoding != "UTF8") {
    return fail("the database is encoded in {}: create it with ENCODING 'UTF8'", facts.encoding);
  }
  if (facts.isolation != "read committed") {
    return fail(
        "PostgreSQL has default_transaction_isolation = {} for this role, with which duplicates "
        "become errors: ALTER ROLE ... SET default_transaction_isolation = 'read committed'",
        facts.isolation);
  }
  return {};
}

}  // namespace webhook::postgres
