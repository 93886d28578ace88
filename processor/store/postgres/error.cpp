#include "processor/store/postgres/error.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace webhook::postgres {
namespace {

using Kind = StoreError::Kind;

struct Meaning {
  std::string_view prefix;  // of the SQLSTATE
  Kind kind;
  bool broken;
};

// The first that fits. An error from the server means that the statement was
// rolled back, except where the server went away or does not know itself.
constexpr Meaning kMeanings[] = {
    {"40003", Kind::kUnknownOutcome, true},  // statement_completion_unknown
    {"40", Kind::kConflict, false},          // serialization_failure, deadlock_detected
    {"55P03", Kind::kConflict, false},       // lock_not_available
    {"22", Kind::kPoison, false},            // data_exception
    {"23", Kind::kPoison, false},            // integrity_constraint_violation
    {"54", Kind::kPoison, false},            // program_limit_exceeded: a key too long to index
    {"25006", Kind::kTransient, true},       // read_only_sql_transaction: no longer the primary
    {"26000", Kind::kTransient, true},       // invalid_sql_statement_name
    {"42P05", Kind::kTransient, true},       // duplicate_prepared_statement
    {"0A000", Kind::kTransient, true},       // the plan is from before a migration
    {"42P07", Kind::kConflict, false},       // duplicate_table: somebody made it meanwhile
    {"57014", Kind::kTransient, false},      // query_canceled
    {"57P03", Kind::kTransient, true},       // cannot_connect_now
    {"57P", Kind::kUnknownOutcome, true},    // shut down while the statement ran
    {"08", Kind::kUnknownOutcome, true},     // connection_exception
    {"XX001", Kind::kFatal, true},           // data_corrupted
    {"XX002", Kind::kFatal, true},           // index_corrupted
};

bool is_lost_statement(std::string_view sqlstate) {
  return sqlstate == "26000" || sqlstate == "42P05";
}

}  // namespace

PgError classify(std::string_view sqlstate, std::string message) {
  if (sqlstate.empty()) return unknown_outcome(std::move(message));
  message = fmt::format("PostgreSQL: {} ({})", message, sqlstate);
  for (const Meaning& meaning : kMeanings) {
    if (!sqlstate.starts_with(meaning.prefix)) continue;
    return {{meaning.kind, std::move(message)}, meaning.broken, is_lost_statement(sqlstate)};
  }
  return {{Kind::kTransient, std::move(message)}};
}

// Only the primary message: the detail can hold values.
PgError to_error(const PGresult* result, const PGconn* connection) {
  const char* const sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  PgError error = classify(sqlstate != nullptr ? sqlstate : "",
                           one_line(primary != nullptr ? primary : PQerrorMessage(connection)));
  if (PQstatus(connection) == CONNECTION_BAD) error.broken = true;
  return error;
}

PgError unknown_outcome(std::string message) {
  return {{Kind::kUnknownOutcome, "PostgreSQL: " + std::move(message)}, true};
}

std::string one_line(const char* message) {
  std::string line;
  for (const char* at = message; *at != '\0'; ++at) {
    const bool space = *at == '\n' || *at == '\t' || *at == ' ';
    if (!space) {
      line += *at;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace webhook::postgres
