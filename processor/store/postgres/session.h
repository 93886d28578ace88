#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_H_

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "processor/store/postgres/connection.h"
#include "processor/store/postgres/server_facts.h"
#include "processor/store/sql_files.h"

namespace webhook::postgres {

// What all sessions of a store share.
struct Shared {
  std::string dsn;
  NamedSql statements;  // of sql/postgres/statements.sql
  // Set for good once a pooler is seen: a statement prepared on one of its
  // server connections is not there on the next.
  std::atomic<bool> unnamed = false;
};

// A connection that is opened when it is needed, checked before it is used, and
// dropped when it is in doubt. Not thread-safe.
class Session {
 public:
  // After a failed try to connect everything fails at once for so long, doubled
  // at each further one up to the latter.
  static constexpr std::chrono::milliseconds kFirstPause{50};
  static constexpr std::chrono::milliseconds kLongestPause{1000};

  explicit Session(Shared& shared) : shared_(shared) {}

  // `statement` names a block of statements.sql; one that is not there is a bug
  // and aborts.
  PgResult<Rows> run(const std::string& statement, const Params& params, Deadline deadline);

  // As Connection::execute().
  PgResult<void> execute(const std::string& script, Deadline deadline);

  // Opens the connection, unless it is open and stands.
  PgResult<void> connect();

  // Drops a connection that is not as it must be; for the caller to return.
  PgError discard(std::string why);

  // What the connection said when it was opened.
  const ServerFacts& facts() const { return facts_; }

 private:
  PgResult<void> open();
  PgResult<ServerFacts> ask_facts();
  PgError settle(PgError error);

  Shared& shared_;
  std::optional<Connection> connection_;
  ServerFacts facts_;
  std::string last_failure_;
  uint64_t closed_until_ns_ = 0;
  std::chrono::milliseconds pause_ = kFirstPause;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_H_
