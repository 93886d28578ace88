#include "ngx_webhook_module/link/slot_table.h"

#include <gtest/gtest.h>

#include <set>

namespace webhook {
namespace {

struct Table {
  SlotTable<int>::Slot slots[3];
  SlotTable<int> table;
  int waiting[4];

  Table() { table.init(slots, 3); }
};

TEST(SlotTable, GivesBackWhatWaitsForAStream) {
  Table t;
  const uint64_t first = t.table.insert(&t.waiting[0]);
  const uint64_t second = t.table.insert(&t.waiting[1]);
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, second);
  EXPECT_EQ(t.table.count(), 2u);
  EXPECT_EQ(t.table.take(second), &t.waiting[1]);
  EXPECT_EQ(t.table.take(first), &t.waiting[0]);
  EXPECT_EQ(t.table.count(), 0u);
}

TEST(SlotTable, RefusesWhenFullAndAcceptsAgain) {
  Table t;
  const uint64_t first = t.table.insert(&t.waiting[0]);
  t.table.insert(&t.waiting[1]);
  t.table.insert(&t.waiting[2]);
  EXPECT_EQ(t.table.insert(&t.waiting[3]), 0u);
  t.table.take(first);
  EXPECT_NE(t.table.insert(&t.waiting[3]), 0u);
}

TEST(SlotTable, ALateAnswerMatchesNothing) {
  Table t;
  const uint64_t late = t.table.insert(&t.waiting[0]);
  t.table.take(late);
  t.table.insert(&t.waiting[1]);  // the same slot
  EXPECT_EQ(t.table.take(late), nullptr);
  EXPECT_EQ(t.table.count(), 1u);
}

TEST(SlotTable, NeverGivesAStreamTwice) {
  Table t;
  std::set<uint64_t> seen;
  for (int i = 0; i < 10000; ++i) {
    const uint64_t stream = t.table.insert(&t.waiting[0]);
    EXPECT_TRUE(seen.insert(stream).second);
    t.table.take(stream);
  }
}

TEST(SlotTable, NumbersThatWereNeverGivenMatchNothing) {
  Table t;
  EXPECT_EQ(t.table.take(0), nullptr);
  EXPECT_EQ(t.table.take(1), nullptr);
  EXPECT_EQ(t.table.take(~0ull), nullptr);
  t.table.insert(&t.waiting[0]);
  EXPECT_EQ(t.table.take(0), nullptr);
}

}  // namespace
}  // namespace webhook
