// The SQL that is embedded in the binary: sql/DIALECT/*.sql.
#ifndef WEBHOOK_PROCESSOR_STORE_SQL_FILES_H_
#define WEBHOOK_PROCESSOR_STORE_SQL_FILES_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "processor/store/store.h"

namespace webhook {

struct Migration {
  int version;  // NNNN of sql/DIALECT/NNNN_name.sql
  std::string_view sql;
};

// In order, never empty. `dialect` is a folder of sql/.
std::vector<Migration> known_migrations(std::string_view dialect);

// Refuses a schema that is newer than `migrations`.
StoreResult<void> check_not_newer(int64_t version, const std::vector<Migration>& migrations);

using NamedSql = std::map<std::string, std::string, std::less<>>;

// The text of a file of `-- name: xyz` blocks, by name.
NamedSql split_statements(std::string_view file);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_STORE_SQL_FILES_H_
