#include "processor/store/sqlite/statement.h"

#include <cstdlib>

#include "processor/store/sqlite/error.h"

namespace webhook::sqlite {

int Statement::index_of(const char* name) const {
  const int index = sqlite3_bind_parameter_index(statement_.get(), name);
  if (index == 0) std::abort();
  return index;
}

void Statement::bind_text(const char* name, std::string_view value) {
  // A null pointer would bind NULL.
  sqlite3_bind_text64(statement_.get(), index_of(name), value.data() != nullptr ? value.data() : "",
                      value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind_blob(const char* name, std::string_view value) {
  sqlite3_bind_blob64(statement_.get(), index_of(name), value.data() != nullptr ? value.data() : "",
                      value.size(), SQLITE_STATIC);
}

void Statement::bind_int(const char* name, int64_t value) {
  sqlite3_bind_int64(statement_.get(), index_of(name), value);
}

void Statement::bind_int(const char* name, std::optional<int64_t> value) {
  if (value) {
    bind_int(name, *value);
  } else {
    bind_null(name);
  }
}

void Statement::bind_null(const char* name) {
  sqlite3_bind_null(statement_.get(), index_of(name));
}

StoreResult<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3* const db = sqlite3_db_handle(statement_.get());
  return tl::make_unexpected(to_store_error(sqlite3_extended_errcode(db), db));
}

StoreResult<void> Statement::run() {
  const ResetGuard guard(*this);
  const auto stepped = step();
  if (!stepped) return tl::make_unexpected(stepped.error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<size_t>(size)};
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<int64_t> Statement::optional_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

}  // namespace webhook::sqlite
