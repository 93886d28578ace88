#include "processor/store/sql_files.h"

#include <spdlog/fmt/fmt.h>

#include <charconv>

#include "webhook_sql.h"

namespace webhook {

std::vector<Migration> known_migrations(std::string_view dialect) {
  constexpr size_t kDigits = 4;
  const std::string folder = std::string(dialect) + "/";
  std::vector<Migration> migrations;
  // Sorted by path, and so by number.
  for (const auto& [path, text] : sql::all()) {
    if (!path.starts_with(folder)) continue;
    const char* const digits = path.data() + folder.size();
    int version = 0;
    const auto parsed = std::from_chars(digits, digits + kDigits, version);
    if (parsed.ptr != digits + kDigits) continue;
    migrations.push_back({version, text});
  }
  return migrations;
}

StoreResult<void> check_not_newer(int64_t version, const std::vector<Migration>& migrations) {
  const int known = migrations.back().version;
  if (version <= known) return {};
  return tl::make_unexpected(StoreError{
      StoreError::Kind::kFatal, fmt::format("the store has schema {}, this build knows up to {}: "
                                            "run the newer webhook-processor",
                                            version, known)});
}

NamedSql split_statements(std::string_view file) {
  constexpr std::string_view kMark = "-- name: ";
  NamedSql blocks;
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

}  // namespace webhook
