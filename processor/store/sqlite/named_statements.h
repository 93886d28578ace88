#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_NAMED_STATEMENTS_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_NAMED_STATEMENTS_H_

#include <map>
#include <string>
#include <string_view>

#include "processor/store/sqlite/database.h"

namespace webhook::sqlite {

// The blocks of sql/sqlite/statements.sql, prepared on one connection and
// kept. Not thread-safe.
class NamedStatements {
 public:
  explicit NamedStatements(Database& database) : database_(database) {}

  // Prepares every statement, so that a mistake in the file shows at start.
  StoreResult<void> prepare_all();

  // A name that the file does not have is a bug: aborts.
  Statement& get(std::string_view name);

 private:
  Database& database_;
  std::map<std::string, Statement, std::less<>> statements_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_NAMED_STATEMENTS_H_
