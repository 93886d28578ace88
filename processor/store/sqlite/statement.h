#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_STATEMENT_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_STATEMENT_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "processor/store/store.h"

namespace webhook::sqlite {

// A prepared statement. Use: bind every parameter, step, read the columns,
// reset.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // `name` with its colon. The bytes are not copied: they must live until
  // reset(). A name that the statement does not have is a bug: aborts.
  void bind_text(const char* name, std::string_view value);
  void bind_blob(const char* name, std::string_view value);
  void bind_int(const char* name, int64_t value);
  void bind_int(const char* name, std::optional<int64_t> value);
  void bind_null(const char* name);

  // True: there is a row. False: done.
  StoreResult<bool> step();

  // Steps once and resets: for a statement that gives no rows.
  StoreResult<void> run();

  // Also lets go of the bound values. Must follow the last step: an open read
  // keeps the WAL from being reset.
  void reset();

  std::string text(int column) const;
  int64_t integer(int column) const;
  std::optional<int64_t> optional_integer(int column) const;
  bool is_null(int column) const;

 private:
  int index_of(const char* name) const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// Resets a statement at the end of a scope.
class ResetGuard {
 public:
  explicit ResetGuard(Statement& statement) : statement_(statement) {}
  ~ResetGuard() { statement_.reset(); }
  ResetGuard(const ResetGuard&) = delete;
  ResetGuard& operator=(const ResetGuard&) = delete;

 private:
  Statement& statement_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_STATEMENT_H_
