// Values in PostgreSQL's binary format.
#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_VALUES_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_VALUES_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "processor/base/uuid.h"

namespace webhook::postgres {

struct Text {
  std::string_view value;
};
struct Bytes {
  std::string_view value;
};
struct Timestamp {
  int64_t unix_ms;
};
struct Date {
  int64_t unix_day;
};

// The type's number in pg_type, which is the same in every PostgreSQL.
template <typename T>
constexpr uint32_t type_oid();
template <>
constexpr uint32_t type_oid<bool>() {
  return 16;
}
template <>
constexpr uint32_t type_oid<Bytes>() {
  return 17;
}
template <>
constexpr uint32_t type_oid<int64_t>() {
  return 20;
}
template <>
constexpr uint32_t type_oid<int32_t>() {
  return 23;
}
template <>
constexpr uint32_t type_oid<Text>() {
  return 25;
}
template <>
constexpr uint32_t type_oid<Date>() {
  return 1082;
}
template <>
constexpr uint32_t type_oid<Timestamp>() {
  return 1184;
}
template <>
constexpr uint32_t type_oid<Uuid>() {
  return 2950;
}

template <std::integral T>
void append_big_endian(std::string& out, T value) {
  using Bits = std::make_unsigned_t<T>;
  for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(static_cast<Bits>(value) >> shift));
  }
}

template <std::integral T>
T read_big_endian(std::string_view bytes) {
  std::make_unsigned_t<T> value = 0;
  for (const char c : bytes.substr(0, sizeof(T))) {
    value = static_cast<std::make_unsigned_t<T>>(value << 8 | static_cast<uint8_t>(c));
  }
  return std::bit_cast<T>(value);
}

void append_value(std::string& out, bool value);
void append_value(std::string& out, int32_t value);
void append_value(std::string& out, int64_t value);
void append_value(std::string& out, Text value);
void append_value(std::string& out, Bytes value);
void append_value(std::string& out, const Uuid& value);
// Times outside of the years 1 to 9999 become the nearest that is inside.
void append_value(std::string& out, Timestamp value);
void append_value(std::string& out, Date value);

int64_t read_timestamp_ms(std::string_view bytes);
int64_t read_unix_day(std::string_view bytes);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_VALUES_H_
