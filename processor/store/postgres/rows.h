#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_ROWS_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_ROWS_H_

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "processor/base/uuid.h"

namespace webhook::postgres {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

// What a statement gave, in binary format. Columns are read as the type that
// the statement gives them; NULL reads as zero or empty.
class Rows {
 public:
  explicit Rows(ResultPtr result) : result_(std::move(result)) {}

  int size() const { return PQntuples(result_.get()); }
  bool is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) != 0; }
  std::string_view bytes(int row, int column) const;
  std::string text(int row, int column) const { return std::string(bytes(row, column)); }
  bool boolean(int row, int column) const;
  int64_t integer(int row, int column) const;  // integer or bigint
  Uuid uuid(int row, int column) const;
  std::optional<Uuid> optional_uuid(int row, int column) const;
  int64_t time_ms(int row, int column) const;
  std::optional<int64_t> optional_time_ms(int row, int column) const;
  int64_t unix_day(int row, int column) const;

 private:
  ResultPtr result_;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_ROWS_H_
