#include "processor/store/postgres/session.h"

#include <algorithm>
#include <cstdlib>

#include "processor/base/clock.h"
#include "processor/base/log.h"

namespace webhook::postgres {
namespace {

constexpr uint64_t kCheckNs = 2000 * kNsPerMs;

PgError transient(std::string message) {
  return {{StoreError::Kind::kTransient, std::move(message)}, true};
}

}  // namespace

PgResult<Rows> Session::run(const std::string& statement, const Params& params, Deadline deadline) {
  const auto sql = shared_.statements.find(statement);
  if (sql == shared_.statements.end()) std::abort();
  if (auto connected = connect(); !connected) return tl::make_unexpected(connected.error());
  // Connecting takes its time; nothing is begun that nobody waits for any more.
  if (monotonic_ns() >= deadline) {
    return tl::make_unexpected(
        PgError{{StoreError::Kind::kTransient, "PostgreSQL: connected too late for a statement"}});
  }
  const std::string name = shared_.unnamed ? "" : statement;
  auto rows = connection_->run(name, sql->second, params, deadline);
  if (!rows) return tl::make_unexpected(settle(rows.error()));
  return rows;
}

PgResult<void> Session::execute(const std::string& script, Deadline deadline) {
  if (auto connected = connect(); !connected) return connected;
  auto done = connection_->execute(script, deadline);
  if (!done) return tl::make_unexpected(settle(done.error()));
  return done;
}

PgError Session::settle(PgError error) {
  if (error.lost_statement) shared_.unnamed = true;
  if (error.broken) connection_.reset();
  return error;
}

PgError Session::discard(std::string why) {
  connection_.reset();
  return transient(std::move(why));
}

PgResult<void> Session::connect() {
  if (connection_ && !connection_->is_closed()) return {};
  connection_.reset();
  if (monotonic_ns() < closed_until_ns_) return tl::make_unexpected(transient(last_failure_));
  auto opened = open();
  if (opened) {
    pause_ = kFirstPause;
    return {};
  }
  connection_.reset();
  last_failure_ = opened.error().error.message;
  closed_until_ns_ = monotonic_ns() + static_cast<uint64_t>(pause_.count()) * kNsPerMs;
  pause_ = std::min(pause_ * 2, kLongestPause);
  // Nothing was sent yet, so nothing is unknown.
  return tl::make_unexpected(transient(last_failure_));
}

PgResult<void> Session::open() {
  auto connection = Connection::open(shared_.dsn);
  if (!connection) return tl::make_unexpected(connection.error());
  connection_ = std::move(*connection);
  auto facts = ask_facts();
  if (!facts) return tl::make_unexpected(facts.error());
  facts_ = std::move(*facts);
  if (auto checked = check_server(facts_); !checked) {
    return tl::make_unexpected(transient(checked.error().message));
  }
  if (facts_.backend_pid != connection_->backend_pid() && !shared_.unnamed.exchange(true)) {
    log(LogLevel::kInfo, "a pooler stands before PostgreSQL: statements are not prepared");
  }
  return {};
}

PgResult<ServerFacts> Session::ask_facts() {
  const std::string& sql = shared_.statements.find("server_facts")->second;
  auto rows = connection_->run("", sql, Params(), monotonic_ns() + kCheckNs);
  if (!rows) return tl::make_unexpected(rows.error());
  return read_server_facts(*rows);
}

}  // namespace webhook::postgres
