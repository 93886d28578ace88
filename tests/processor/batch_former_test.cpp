#include "processor/accept/batch_former.h"

#include <gtest/gtest.h>

#include <map>

#include "test_support.h"

namespace webhook {
namespace {

constexpr uint64_t kLater = 1'000'000'000;

class BatchFormerTest : public ::testing::Test {
 protected:
  PreparedEvent event(const std::string& tenant, uint64_t deadline_ns = kLater, size_t bytes = 0) {
    AcceptRow row = testing::make_row("e" + std::to_string(next_++), tenant);
    if (bytes > 0) row.blob.assign(bytes, 'x');
    return {{{1, next_}, *admission_->admit(1), deadline_ns}, std::move(row)};
  }

  std::map<std::string, int> by_tenant(const Batch& batch) {
    std::map<std::string, int> counts;
    for (const AcceptRow& row : batch.rows) ++counts[row.key.tenant];
    return counts;
  }

  std::shared_ptr<link::Admission> admission_ =
      std::make_shared<link::Admission>(100'000, size_t{1} << 30);
  uint64_t next_ = 0;
};

TEST_F(BatchFormerTest, TakesWhatIsThereUpToTheRowCap) {
  BatchFormer former({.rows = 4, .bytes = 1 << 20});
  for (int i = 0; i < 6; ++i) former.add(event("a"));
  const Batch first = former.take(0);
  ASSERT_EQ(first.rows.size(), 4u);
  EXPECT_EQ(first.rows.front().key.event_id, "e0");
  EXPECT_EQ(first.tickets.size(), 4u);
  EXPECT_EQ(former.take(0).rows.size(), 2u);
  EXPECT_TRUE(former.empty());
}

TEST_F(BatchFormerTest, KeepsTheByteCapButLetsALargeRowGoAlone) {
  BatchFormer former({.rows = 64, .bytes = 10'000});
  former.add(event("a", kLater, 50'000));
  for (int i = 0; i < 3; ++i) former.add(event("a", kLater, 4000));
  EXPECT_EQ(former.take(0).rows.size(), 1u);
  EXPECT_EQ(former.take(0).rows.size(), 2u);
  EXPECT_EQ(former.take(0).rows.size(), 1u);
}

TEST_F(BatchFormerTest, EndpointsTakeTurns) {
  BatchFormer former({.rows = 8, .bytes = 1 << 20});
  for (int i = 0; i < 100; ++i) former.add(event("flood"));
  for (int i = 0; i < 3; ++i) former.add(event("quiet"));
  for (int i = 0; i < 20; ++i) former.add(event("other"));
  auto first = by_tenant(former.take(0));
  EXPECT_EQ(first["quiet"], 3);
  EXPECT_GE(first["other"], 2);
  auto second = by_tenant(former.take(0));
  EXPECT_EQ(second["flood"], 4);
  EXPECT_EQ(second["other"], 4);
}

TEST_F(BatchFormerTest, KeepsTheOrderWithinAnEndpoint) {
  BatchFormer former({.rows = 3, .bytes = 1 << 20});
  for (int i = 0; i < 9; ++i) former.add(event(i % 2 ? "a" : "b"));
  std::map<std::string, std::string> last;
  while (!former.empty()) {
    for (const AcceptRow& row : former.take(0).rows) {
      EXPECT_LT(last[row.key.tenant], row.key.event_id);
      last[row.key.tenant] = row.key.event_id;
    }
  }
}

TEST_F(BatchFormerTest, WaitsForNothingWhenNoCommitIsInFlight) {
  BatchFormer former({.rows = 4, .patience_ns = 100});
  former.add(event("a"));
  EXPECT_EQ(former.due_ns(), 0u);
  former.take(50);
  former.finish(10);
  former.add(event("a"));
  EXPECT_EQ(former.due_ns(), 0u);
}

TEST_F(BatchFormerTest, BesideACommitOnlyAFullBatchGoesAtOnce) {
  BatchFormer former({.rows = 2, .patience_ns = 100});
  former.add(event("a"));
  former.take(50);
  former.add(event("a"));
  EXPECT_EQ(former.due_ns(), 150u) << "or when the one in flight has had its time";
  former.add(event("a"));
  EXPECT_EQ(former.due_ns(), 0u);
}

TEST_F(BatchFormerTest, ALargeRowFillsABatch) {
  BatchFormer former({.bytes = 10'000, .patience_ns = 100});
  former.add(event("a"));
  former.take(50);
  former.add(event("a", kLater, 20'000));
  EXPECT_EQ(former.due_ns(), 0u);
}

TEST_F(BatchFormerTest, WhatIsLateIsPutIntoNoBatch) {
  BatchFormer former({.rows = 2, .bytes = 1 << 20});
  former.add(event("a", 100));
  former.add(event("a", 300));
  former.add(event("a", 101));
  former.add(event("a", 300));
  const Batch batch = former.take(200);
  EXPECT_EQ(batch.expired.size(), 2u);
  EXPECT_EQ(batch.rows.size(), 2u);
  EXPECT_TRUE(former.empty());
}

TEST_F(BatchFormerTest, EstimatesTheWait) {
  BatchFormer former({.rows = 2, .bytes = 1 << 20});
  // Idle: admitted, however slow commits are said to be.
  former.add(event("a"));
  former.take(0);
  former.finish(1000);
  EXPECT_FALSE(former.is_hopeless(event("a", 1), 0));

  former.add(event("a"));
  former.take(0);  // in flight
  EXPECT_FALSE(former.is_hopeless(event("a", 2000), 0));
  EXPECT_TRUE(former.is_hopeless(event("a", 1999), 0));
  for (int i = 0; i < 4; ++i) former.add(event("a"));  // two batches more
  EXPECT_FALSE(former.is_hopeless(event("a", 4000), 0));
  EXPECT_TRUE(former.is_hopeless(event("a", 3999), 0));
  // An endpoint with nothing queued is not behind the others' rows.
  EXPECT_FALSE(former.is_hopeless(event("b", 2000), 0));
}

TEST_F(BatchFormerTest, TheAverageFollowsCommits) {
  BatchFormer former({.rows = 1, .bytes = 1 << 20});
  const auto commit = [&](uint64_t ns) {
    former.add(event("a"));
    former.take(0);
    former.finish(ns);
  };
  commit(1'000'000);
  for (int i = 0; i < 100; ++i) commit(1000);
  former.add(event("a"));
  former.take(0);
  EXPECT_FALSE(former.is_hopeless(event("a", 10'000), 0));
}

}  // namespace
}  // namespace webhook
