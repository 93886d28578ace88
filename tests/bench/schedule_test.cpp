#include "bench/schedule.h"

#include <gtest/gtest.h>

namespace webhook::bench {
namespace {

TEST(Schedule, OpenLoopIsDueAtASteadyRateWhateverTheTime) {
  Schedule schedule(2000.0, 1);
  schedule.start(7);
  uint64_t events = 0;
  for (; const auto due = schedule.next_due(5 * kNsPerSecond); schedule.take()) {
    ASSERT_EQ(*due, 7 + events * 500'000);
    ++events;
  }
  EXPECT_EQ(events, 2000u);
}

TEST(Schedule, ClosedLoopIsAlwaysDueUntilTheEnd) {
  Schedule schedule(std::nullopt, 1);
  schedule.start(0);
  schedule.take();
  EXPECT_EQ(schedule.next_due(123), 123u);
  EXPECT_EQ(schedule.next_due(kNsPerSecond), std::nullopt);
}

}  // namespace
}  // namespace webhook::bench
