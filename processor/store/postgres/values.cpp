#include "processor/store/postgres/values.h"

#include <algorithm>

namespace webhook::postgres {
namespace {

// PostgreSQL counts from 2000-01-01.
constexpr int64_t kEpochDay = 10'957;
constexpr int64_t kMsPerDay = 86'400'000;
constexpr int64_t kEpochMs = kEpochDay * kMsPerDay;
constexpr int64_t kUsPerMs = 1000;

constexpr int64_t kFirstMs = -62'135'596'800'000;  // 0001-01-01
constexpr int64_t kLastMs = 253'402'300'799'999;   // 9999-12-31

}  // namespace

void append_value(std::string& out, bool value) {
  out.push_back(value ? 1 : 0);
}

void append_value(std::string& out, int32_t value) {
  append_big_endian(out, value);
}

void append_value(std::string& out, int64_t value) {
  append_big_endian(out, value);
}

void append_value(std::string& out, Text value) {
  out += value.value;
}

void append_value(std::string& out, Bytes value) {
  out += value.value;
}

void append_value(std::string& out, const Uuid& value) {
  out += as_bytes(value);
}

void append_value(std::string& out, Timestamp value) {
  const int64_t unix_ms = std::clamp(value.unix_ms, kFirstMs, kLastMs);
  append_big_endian(out, (unix_ms - kEpochMs) * kUsPerMs);
}

void append_value(std::string& out, Date value) {
  const int64_t day = std::clamp(value.unix_day, kFirstMs / kMsPerDay, kLastMs / kMsPerDay);
  append_big_endian(out, static_cast<int32_t>(day - kEpochDay));
}

int64_t read_timestamp_ms(std::string_view bytes) {
  return read_big_endian<int64_t>(bytes) / kUsPerMs + kEpochMs;
}

int64_t read_unix_day(std::string_view bytes) {
  return read_big_endian<int32_t>(bytes) + kEpochDay;
}

}  // namespace webhook::postgres
