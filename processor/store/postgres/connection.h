#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNECTION_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNECTION_H_

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "processor/store/postgres/error.h"
#include "processor/store/postgres/params.h"
#include "processor/store/postgres/rows.h"

namespace webhook::postgres {

// A point in CLOCK_MONOTONIC, nanoseconds.
using Deadline = uint64_t;

// One connection. Not thread-safe. Every statement is a transaction of its own
// and none is ever cancelled: past its deadline the connection is given up, and
// what becomes of the statement is unknown.
class Connection {
 public:
  // Tries the hosts of `dsn` in turn, each for at most its connect_timeout (2 s
  // when the DSN does not say); takes only one that can be written to.
  static PgResult<Connection> open(const std::string& dsn);

  // Prepared under `name` at first use, or parsed each time when `name` is
  // empty. A WARNING counts as unknown outcome: a cancelled wait for a
  // synchronous standby reports success with one.
  PgResult<Rows> run(const std::string& name, const std::string& sql, const Params& params,
                     Deadline deadline);

  // Statements without parameters, separated by ';', in one transaction.
  PgResult<void> execute(const std::string& script, Deadline deadline);

  // True when the other end has closed the connection since it was last used.
  bool is_closed();

  // As the other end gave it: a pooler's own invention, where there is one.
  int backend_pid() const { return PQbackendPID(connection_.get()); }

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };

  explicit Connection(PGconn* connection) : connection_(connection) {}

  PgResult<void> prepare(const std::string& name, const std::string& sql, Deadline deadline);
  PgResult<Rows> finish_statement(int sent, Deadline deadline);
  PgResult<void> wait(Deadline deadline);
  PgResult<ResultPtr> next_result(Deadline deadline);
  PgError lost() const;

  std::unique_ptr<PGconn, Finish> connection_;
  std::set<std::string, std::less<>> prepared_;
  // On the heap: libpq keeps its address. The last warning of the statement.
  std::unique_ptr<std::string> warning_ = std::make_unique<std::string>();
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNECTION_H_
