#include "processor/store/postgres/rows.h"

#include <algorithm>

#include "processor/store/postgres/values.h"

namespace webhook::postgres {

std::string_view Rows::bytes(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<size_t>(PQgetlength(result_.get(), row, column))};
}

bool Rows::boolean(int row, int column) const {
  const std::string_view value = bytes(row, column);
  return !value.empty() && value[0] != 0;
}

int64_t Rows::integer(int row, int column) const {
  const std::string_view value = bytes(row, column);
  if (value.size() == sizeof(int32_t)) return read_big_endian<int32_t>(value);
  return read_big_endian<int64_t>(value);
}

Uuid Rows::uuid(int row, int column) const {
  Uuid id{};
  const std::string_view value = bytes(row, column);
  std::copy_n(value.begin(), std::min(value.size(), id.size()), id.begin());
  return id;
}

std::optional<Uuid> Rows::optional_uuid(int row, int column) const {
  if (is_null(row, column)) return std::nullopt;
  return uuid(row, column);
}

int64_t Rows::time_ms(int row, int column) const {
  return is_null(row, column) ? 0 : read_timestamp_ms(bytes(row, column));
}

std::optional<int64_t> Rows::optional_time_ms(int row, int column) const {
  if (is_null(row, column)) return std::nullopt;
  return time_ms(row, column);
}

int64_t Rows::unix_day(int row, int column) const {
  return read_unix_day(bytes(row, column));
}

}  // namespace webhook::postgres
