#include "bench/report.h"

#include <cmath>
#include <string>

namespace webhook::bench {
namespace {

// Of the digits behind the third nobody can measure any.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

double milliseconds(uint64_t ns) {
  return rounded(static_cast<double>(ns) / 1e6);
}

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

nlohmann::ordered_json Report::json() const {
  uint64_t good = 0;
  uint64_t errors = lost + unsent;
  nlohmann::ordered_json by_status = nlohmann::ordered_json::object();
  for (const auto& [status, count] : answers_by_status) {
    (status >= 200 && status < 300 ? good : errors) += count;
    by_status[std::to_string(status)] = count;
  }
  return {{"rps", std::llround(ratio(good, elapsed_ns) * 1e9)},
          {"p50_ms", milliseconds(latency_ns.quantile(0.5))},
          {"p99_ms", milliseconds(latency_ns.quantile(0.99))},
          {"p999_ms", milliseconds(latency_ns.quantile(0.999))},
          {"bytes_mean", std::llround(ratio(body_bytes, sent))},
          {"errors", errors},
          {"events", sent},
          {"by_status", by_status}};
}

}  // namespace webhook::bench
