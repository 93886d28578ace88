// When events are due.
#ifndef WEBHOOK_BENCH_SCHEDULE_H_
#define WEBHOOK_BENCH_SCHEDULE_H_

#include <algorithm>
#include <cstdint>
#include <optional>

namespace webhook::bench {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

// Open loop: at a steady rate, whatever becomes of the answers. Closed loop:
// as soon as a connection is free.
class Schedule {
 public:
  // `rate` is in events a second; without one the loop is closed.
  Schedule(std::optional<double> rate, double duration_s)
      : rate_(rate), duration_ns_(static_cast<uint64_t>(duration_s * kNsPerSecond)) {}

  void start(uint64_t now_ns) { start_ns_ = now_ns; }

  // Of the next event, which may lie in the past; nothing after the end.
  std::optional<uint64_t> next_due(uint64_t now_ns) const {
    const uint64_t due = rate_ ? start_ns_ + offset_ns() : std::max(now_ns, start_ns_);
    return due < end_ns() ? std::optional(due) : std::nullopt;
  }

  void take() { ++taken_; }

  uint64_t start_ns() const { return start_ns_; }
  uint64_t end_ns() const { return start_ns_ + duration_ns_; }

 private:
  // From the count, so that rounding does not add up.
  uint64_t offset_ns() const {
    return static_cast<uint64_t>(static_cast<double>(taken_) * kNsPerSecond / *rate_);
  }

  std::optional<double> rate_;
  uint64_t duration_ns_;
  uint64_t start_ns_ = 0;
  uint64_t taken_ = 0;
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_SCHEDULE_H_
