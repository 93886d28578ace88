// Every store: what a delivery meets that was there before it.
#include <atomic>
#include <thread>

#include "conformance.h"

namespace webhook {
namespace {

using testing::make_row;
using testing::waiting_row;
using Kind = AcceptOutcome::Kind;

class TwinConformance : public testing::StoreConformance {
 protected:
  void expect_taken_up(EventStatus first_status) {
    const AcceptRow first = waiting_row("evt_1", first_status);
    EXPECT_EQ(accept({first})[0].kind, Kind::kAccepted);
    EXPECT_EQ(count({.status = event_status_name(first_status)}), 1u);
    EXPECT_TRUE((*store_->find(first.inbox_id))->outbox.empty()) << "nobody may work on it";

    const AcceptRow again = waiting_row("evt_1", first_status);
    EXPECT_EQ(accept({again})[0].kind, Kind::kDuplicate);

    AcceptRow now = make_row("evt_1");
    now.signed_at_ms = 5000;
    now.steps = {"a", "b"};
    const auto outcomes = accept({now});
    EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
    EXPECT_EQ(outcomes[0].inbox_id, first.inbox_id);
    const StoredEvent stored = **store_->find(first.inbox_id);
    EXPECT_EQ(stored.event.status, "RECEIVED");
    EXPECT_EQ(stored.event.steps_left, 2u);
    EXPECT_EQ(stored.outbox.size(), 2u);
    EXPECT_EQ(stored.event.payload_id, now.payload_id);
    EXPECT_EQ(stored.event.signed_at_ms, 5000);
    EXPECT_EQ(stored.blob, now.blob);
    EXPECT_EQ(accept({make_row("evt_1")})[0].kind, Kind::kDuplicate);
    EXPECT_EQ(count(), 1u);
  }
};

TEST_P(TwinConformance, R2_AHeldTwinIsTakenUp) {
  expect_taken_up(EventStatus::kHeld);
}

TEST_P(TwinConformance, R2_AnIgnoredTwinIsTakenUp) {
  expect_taken_up(EventStatus::kIgnored);
}

TEST_P(TwinConformance, AnIgnoredEventKeepsNoPayloadAHeldOneDoes) {
  const AcceptRow held = waiting_row("h", EventStatus::kHeld);
  const AcceptRow ignored = waiting_row("i", EventStatus::kIgnored);
  accept({held, ignored});
  EXPECT_EQ((*store_->find(held.inbox_id))->blob, held.blob);
  EXPECT_FALSE((*store_->find(ignored.inbox_id))->event.payload_id);
  EXPECT_EQ(*store_->oldest_unprocessed_ms(), std::nullopt);
}

TEST_P(TwinConformance, OfOneBatchTheLaterCopyTakesTheHeldOneUp) {
  const AcceptRow held = waiting_row("evt_1", EventStatus::kHeld);
  const auto outcomes = accept({held, make_row("evt_1"), make_row("evt_1")});
  EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[1].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[2].kind, Kind::kDuplicate);
  EXPECT_EQ((*store_->find(held.inbox_id))->event.status, "RECEIVED");
}

TEST_P(TwinConformance, OfManyThatTakeItUpOneDoes) {
  accept({waiting_row("evt_1", EventStatus::kHeld)});
  std::atomic<int> accepted = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const std::vector<AcceptRow> rows = {make_row("evt_1")};
      const auto outcomes = store_->accept(rows);
      ASSERT_TRUE(outcomes) << outcomes.error().message;
      accepted += outcomes->front().kind == Kind::kAccepted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(accepted, 1);
}

WEBHOOK_TEST_ON_ALL_STORES(TwinConformance);

}  // namespace
}  // namespace webhook
