#include "processor/store/sqlite/named_statements.h"

#include <cstdlib>

#include "webhook_sql.h"

namespace webhook::sqlite {

std::map<std::string, std::string> split_statements(std::string_view file) {
  constexpr std::string_view kMark = "-- name: ";
  std::map<std::string, std::string> blocks;
  size_t at = file.find(kMark);
  while (at != file.npos) {
    const size_t name_at = at + kMark.size();
    const size_t line_end = file.find('\n', name_at);
    const size_t next = file.find(kMark, name_at);
    if (line_end == file.npos) break;
    blocks[std::string(file.substr(name_at, line_end - name_at))] =
        file.substr(line_end + 1, next - line_end - 1);
    at = next;
  }
  return blocks;
}

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
