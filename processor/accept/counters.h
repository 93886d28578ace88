#ifndef WEBHOOK_PROCESSOR_ACCEPT_COUNTERS_H_
#define WEBHOOK_PROCESSOR_ACCEPT_COUNTERS_H_

#include <atomic>
#include <cstdint>

#include "ngx_webhook_module/verify/reason.h"

namespace webhook {

// Answers since the start, by decision. Thread-safe.
struct Counters {
  std::atomic<uint64_t> accepted = 0;
  std::atomic<uint64_t> duplicate = 0;
  std::atomic<uint64_t> refused = 0;
  std::atomic<uint64_t> unavailable = 0;

  void count(Decision decision) {
    switch (decision) {
      case Decision::kAccepted: ++accepted; break;
      case Decision::kDuplicate: ++duplicate; break;
      case Decision::kRefused: ++refused; break;
      case Decision::kUnavailable: ++unavailable; break;
      default: break;
    }
  }
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_COUNTERS_H_
