#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNINFO_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNINFO_H_

#include <string>
#include <string_view>

#include "processor/base/result.h"

namespace webhook::postgres {

// True for a libpq URI.
bool is_postgres_dsn(std::string_view dsn);

// The DSN for people: users, hosts and database, no password. An error, which
// does not repeat the DSN, when libpq cannot read it.
Result<std::string> printable_dsn(const std::string& dsn);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_CONNINFO_H_
