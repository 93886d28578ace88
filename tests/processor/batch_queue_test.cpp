#include "processor/accept/batch_queue.h"

#include <gtest/gtest.h>

#include <future>

#include "processor/base/clock.h"
#include "test_support.h"

namespace webhook {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kHourNs = uint64_t{3600} * 1'000'000'000;

class BatchQueueTest : public ::testing::Test {
 protected:
  void add(BatchQueue& queue) {
    AcceptRow row = testing::make_row("e" + std::to_string(next_++));
    PreparedEvent event{{{1, next_}, *admission_->admit(1), monotonic_ns() + kHourNs},
                        std::move(row)};
    ASSERT_TRUE(queue.add(event));
  }

  static std::future<size_t> taken(BatchQueue& queue) {
    return std::async(std::launch::async, [&queue] {
      const auto batch = queue.take();
      return batch ? batch->rows.size() : 0;
    });
  }

  std::shared_ptr<link::Admission> admission_ =
      std::make_shared<link::Admission>(1000, size_t{1} << 30);
  uint64_t next_ = 0;
};

TEST_F(BatchQueueTest, AFullBatchDoesNotWaitForTheCommitInFlight) {
  BatchQueue queue({.rows = 2, .patience_ns = kHourNs});
  add(queue);
  ASSERT_EQ(queue.take()->rows.size(), 1u);
  auto second = taken(queue);
  add(queue);
  EXPECT_EQ(second.wait_for(50ms), std::future_status::timeout);
  add(queue);
  EXPECT_EQ(second.get(), 2u);
}

TEST_F(BatchQueueTest, ASlowCommitHoldsNobodyUpForLongerThanPatience) {
  BatchQueue queue({.rows = 64, .patience_ns = 20'000'000});
  add(queue);
  ASSERT_EQ(queue.take()->rows.size(), 1u);
  auto second = taken(queue);
  add(queue);
  EXPECT_EQ(second.get(), 1u);
}

TEST_F(BatchQueueTest, WhatAFullBatchLeavesFindsAnotherCommitter) {
  BatchQueue queue({.rows = 2, .patience_ns = 20'000'000});
  auto first = taken(queue);
  auto second = taken(queue);
  std::this_thread::sleep_for(20ms);
  for (int i = 0; i < 3; ++i) add(queue);
  EXPECT_EQ(first.get() + second.get(), 3u);
}

TEST_F(BatchQueueTest, AfterTheEndWhatIsLeftGoesAtOnce) {
  BatchQueue queue({.rows = 64, .patience_ns = kHourNs});
  add(queue);
  ASSERT_EQ(queue.take()->rows.size(), 1u);
  add(queue);
  queue.close();
  EXPECT_EQ(queue.take()->rows.size(), 1u);
  EXPECT_FALSE(queue.take());
}

}  // namespace
}  // namespace webhook
