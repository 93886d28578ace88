#include "processor/store/sqlite/named_statements.h"

#include <cstdlib>

#include "processor/store/sql_files.h"
#include "webhook_sql.h"

namespace webhook::sqlite {

StoreResult<void> NamedStatements::prepare_all() {
  for (const auto& [name, sql] : split_statements(sql::text("sqlite/statements.sql"))) {
    auto statement = database_.prepare(sql);
    if (!statement) return tl::make_unexpected(statement.error());
    statements_.emplace(name, std::move(*statement));
  }
  return {};
}

Statement& NamedStatements::get(std::string_view name) {
  const auto found = statements_.find(name);
  if (found == statements_.end()) std::abort();
  return found->second;
}

}  // namespace webhook::sqlite
