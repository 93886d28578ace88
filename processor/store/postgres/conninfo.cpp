#include "processor/store/postgres/conninfo.h"

#include <libpq-fe.h>

#include <memory>

namespace webhook::postgres {
namespace {

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

std::string value_of(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (keyword == option->keyword && option->val != nullptr) return option->val;
  }
  return "";
}

}  // namespace

bool is_postgres_dsn(std::string_view dsn) {
  return dsn.starts_with("postgresql://") || dsn.starts_with("postgres://");
}

Result<std::string> printable_dsn(const std::string& dsn) {
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(
      PQconninfoParse(dsn.c_str(), nullptr));
  if (!options) {
    return fail(
        "the store's DSN is no URI that libpq can read: write "
        "postgresql://USER@HOST:PORT/DATABASE, with % escapes for special characters");
  }
  std::string text = "postgresql://";
  if (const std::string user = value_of(options.get(), "user"); !user.empty()) text += user + "@";
  text += value_of(options.get(), "host");
  if (const std::string port = value_of(options.get(), "port"); !port.empty()) text += ":" + port;
  return text + "/" + value_of(options.get(), "dbname");
}

}  // namespace webhook::postgres
