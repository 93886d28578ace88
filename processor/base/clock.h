#ifndef WEBHOOK_PROCESSOR_BASE_CLOCK_H_
#define WEBHOOK_PROCESSOR_BASE_CLOCK_H_

#include <cstdint>

namespace webhook {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr int64_t kMsPerDay = 86'400'000;

// CLOCK_MONOTONIC, the clock of deadlines on the link.
uint64_t monotonic_ns();

// CLOCK_REALTIME in milliseconds since 1970.
int64_t unix_ms();

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_CLOCK_H_
