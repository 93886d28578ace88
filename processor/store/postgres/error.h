#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_ERROR_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_ERROR_H_

#include <libpq-fe.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "processor/store/store.h"

namespace webhook::postgres {

// Why a statement failed, and whether its connection may be used again.
struct PgError {
  StoreError error;
  bool broken = false;
  // A pooler stands between: it does not know the statements that we prepared.
  bool lost_statement = false;
};

template <typename T>
using PgResult = tl::expected<T, PgError>;

// What an SQLSTATE (five characters) means for a caller. With no SQLSTATE the
// connection was lost, and what was sent may have been done. The only place
// that knows.
PgError classify(std::string_view sqlstate, std::string message);

// The same of what libpq has in hand.
PgError to_error(const PGresult* result, const PGconn* connection);

// Nobody heard of the outcome: the connection must go.
PgError unknown_outcome(std::string message);

// libpq's messages as one line.
std::string one_line(const char* message);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_ERROR_H_
