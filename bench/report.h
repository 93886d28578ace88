// What a run of load came to.
#ifndef WEBHOOK_BENCH_REPORT_H_
#define WEBHOOK_BENCH_REPORT_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/histogram.h"

namespace webhook::bench {

struct Report {
  Histogram latency_ns;  // from when an event was due to the end of its answer
  std::map<int, uint64_t> answers_by_status;
  uint64_t lost = 0;    // broken connections, and no answer in time
  uint64_t unsent = 0;  // due, but no connection became free in time
  uint64_t sent = 0;
  uint64_t body_bytes = 0;
  uint64_t elapsed_ns = 0;

  // `rps` counts 2xx; `errors` all else that was due.
  nlohmann::ordered_json json() const;
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_REPORT_H_
