#include "processor/store/postgres/connection.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "processor/base/clock.h"

namespace webhook::postgres {
namespace {

// What stands before dbname counts only where the DSN does not say it.
constexpr const char* kKeywords[] = {"target_session_attrs",
                                     "connect_timeout",
                                     "keepalives_idle",
                                     "keepalives_interval",
                                     "keepalives_count",
                                     "tcp_user_timeout",
                                     "fallback_application_name",
                                     "client_encoding",
                                     "dbname",
                                     nullptr};

PGconn* connect(const std::string& dsn) {
  const char* const values[] = {"read-write",        "2",    "10",        "3",    "3", "10000",
                                "webhook-processor", "UTF8", dsn.c_str(), nullptr};
  static_assert(std::size(values) == std::size(kKeywords));
  return PQconnectdbParams(kKeywords, values, 1);
}

void note_warning(void* warning, const PGresult* result) {
  const char* const severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity == nullptr || std::string_view(severity) != "WARNING") return;
  const char* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  *static_cast<std::string*>(warning) = message != nullptr ? one_line(message) : "a warning";
}

bool has_failed(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
}

int wait_ms(Deadline deadline) {
  const uint64_t now = monotonic_ns();
  if (now >= deadline) return 0;
  // Rounded up, so that the last wait does not become a spin.
  return static_cast<int>(std::min<uint64_t>((deadline - now) / kNsPerMs + 1, 60'000));
}

}  // namespace

PgResult<Connection> Connection::open(const std::string& dsn) {
  Connection opened(connect(dsn));
  PGconn* const connection = opened.connection_.get();
  if (PQstatus(connection) != CONNECTION_OK) {
    const std::string why = connection != nullptr ? one_line(PQerrorMessage(connection)) : "memory";
    return tl::make_unexpected(
        PgError{{StoreError::Kind::kTransient, "PostgreSQL: no connection: " + why}, true});
  }
  PQsetNoticeReceiver(connection, note_warning, opened.warning_.get());
  PQsetnonblocking(connection, 1);
  return opened;
}

// What it said before it closed is read first.
bool Connection::is_closed() {
  pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
  while (poll(&socket, 1, 0) > 0) {
    if (PQconsumeInput(connection_.get()) == 0) return true;
  }
  return PQstatus(connection_.get()) != CONNECTION_OK;
}

PgResult<Rows> Connection::run(const std::string& name, const std::string& sql,
                               const Params& params, Deadline deadline) {
  if (!name.empty()) {
    if (auto prepared = prepare(name, sql, deadline); !prepared) {
      return tl::make_unexpected(prepared.error());
    }
  }
  const auto values = params.pointers();
  const auto lengths = params.lengths();
  const std::vector<int> formats(params.size(), 1);
  const int count = static_cast<int>(params.size());
  warning_->clear();
  const int sent = name.empty()
                       ? PQsendQueryParams(connection_.get(), sql.c_str(), count, nullptr,
                                           values.data(), lengths.data(), formats.data(), 1)
                       : PQsendQueryPrepared(connection_.get(), name.c_str(), count, values.data(),
                                             lengths.data(), formats.data(), 1);
  return finish_statement(sent, deadline);
}

PgResult<void> Connection::prepare(const std::string& name, const std::string& sql,
                                   Deadline deadline) {
  if (prepared_.contains(name)) return {};
  const int sent = PQsendPrepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr);
  if (auto done = finish_statement(sent, deadline); !done) {
    return tl::make_unexpected(done.error());
  }
  prepared_.insert(name);
  return {};
}

PgResult<void> Connection::execute(const std::string& script, Deadline deadline) {
  warning_->clear();
  const auto done = finish_statement(PQsendQuery(connection_.get(), script.c_str()), deadline);
  if (!done) return tl::make_unexpected(done.error());
  return {};
}

// All results are read, also after an error: else the connection is not free.
PgResult<Rows> Connection::finish_statement(int sent, Deadline deadline) {
  if (sent != 1) return tl::make_unexpected(lost());
  ResultPtr last;
  for (;;) {
    auto result = next_result(deadline);
    if (!result) return tl::make_unexpected(result.error());
    if (!*result) break;
    if (!last || !has_failed(last.get())) last = std::move(*result);
  }
  if (!last) return tl::make_unexpected(lost());
  if (has_failed(last.get())) return tl::make_unexpected(to_error(last.get(), connection_.get()));
  if (!warning_->empty()) return tl::make_unexpected(unknown_outcome(*warning_));
  return Rows(std::move(last));
}

PgResult<ResultPtr> Connection::next_result(Deadline deadline) {
  for (;;) {
    const int flushed = PQflush(connection_.get());
    if (flushed < 0) return tl::make_unexpected(lost());
    if (flushed == 0 && PQisBusy(connection_.get()) == 0) {
      return ResultPtr(PQgetResult(connection_.get()));
    }
    if (auto waited = wait(deadline); !waited) return tl::make_unexpected(waited.error());
    if (PQconsumeInput(connection_.get()) == 0) return tl::make_unexpected(lost());
  }
}

PgResult<void> Connection::wait(Deadline deadline) {
  const bool unsent = PQflush(connection_.get()) == 1;
  pollfd socket{PQsocket(connection_.get()), static_cast<short>(unsent ? POLLIN | POLLOUT : POLLIN),
                0};
  for (;;) {
    const int milliseconds = wait_ms(deadline);
    const int ready = milliseconds == 0 ? 0 : poll(&socket, 1, milliseconds);
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return tl::make_unexpected(lost());
    if (monotonic_ns() >= deadline) {
      return tl::make_unexpected(unknown_outcome("no answer before the deadline"));
    }
  }
}

PgError Connection::lost() const {
  const std::string why = one_line(PQerrorMessage(connection_.get()));
  return unknown_outcome(why.empty() ? "the connection was lost" : why);
}

}  // namespace webhook::postgres
