// Every store: steps that are claimed, done, put back, given up and done again.
#include <atomic>
#include <set>
#include <thread>

#include "conformance.h"

namespace webhook {
namespace {

using testing::make_row;
using testing::waiting_row;
using Kind = AcceptOutcome::Kind;

class StepConformance : public testing::StoreConformance {
 protected:
  static constexpr std::chrono::minutes kLong{1};

  AcceptRow accept_event(const std::string& event_id, std::vector<std::string> steps) {
    AcceptRow row = make_row(event_id);
    row.steps = std::move(steps);
    accept({row});
    return row;
  }

  std::vector<StepLease> claim(const std::string& step, size_t limit = 10,
                               std::chrono::milliseconds duration = kLong) {
    const auto leases = store_->claim(step, limit, duration);
    EXPECT_TRUE(leases) << leases.error().message;
    return leases.value_or(std::vector<StepLease>());
  }

  bool complete(const StepLease& lease) {
    const std::vector<StepLease> leases = {lease};
    const auto done = store_->complete(leases, "ok");
    EXPECT_TRUE(done) << done.error().message;
    return done && done->front();
  }

  EventRow event(const AcceptRow& row) { return (*store_->find(row.inbox_id))->event; }
};

TEST_P(StepConformance, AClaimedStepIsNobodyElses) {
  const AcceptRow row = accept_event("e", {"send"});
  const auto leases = claim("send");
  ASSERT_EQ(leases.size(), 1u);
  EXPECT_EQ(leases[0].key, row.key);
  EXPECT_EQ(leases[0].inbox_id, row.inbox_id);
  EXPECT_EQ(leases[0].step, "send");
  EXPECT_EQ(leases[0].attempt, 1u);
  EXPECT_TRUE(claim("send").empty());
  EXPECT_TRUE(claim("other").empty());
}

TEST_P(StepConformance, ClaimsTheOldestFirstUpToTheLimit) {
  for (int i = 0; i < 5; ++i) {
    accept_event("e" + std::to_string(i), {"send"});
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  std::set<std::string> ids;
  for (const StepLease& lease : claim("send", 3)) ids.insert(lease.key.event_id);
  EXPECT_EQ(ids, (std::set<std::string>{"e0", "e1", "e2"}));
  EXPECT_EQ(claim("send", 3).size(), 2u);
}

TEST_P(StepConformance, R5_TheLastStepMakesTheEventProcessed) {
  const AcceptRow row = accept_event("e", {"a", "b"});
  const StepLease a = claim("a").front();
  const StepLease b = claim("b").front();
  EXPECT_TRUE(complete(a));
  EXPECT_EQ(event(row).status, "RECEIVED");
  EXPECT_EQ(event(row).steps_left, 1u);
  EXPECT_TRUE(complete(b));
  EXPECT_EQ(event(row).status, "PROCESSED");
  EXPECT_EQ(event(row).steps_left, 0u);
  EXPECT_FALSE(complete(b)) << "once";
  EXPECT_TRUE((*store_->find(row.inbox_id))->outbox.empty());
  EXPECT_EQ(accept({make_row("e")})[0].kind, Kind::kDuplicate);
}

TEST_P(StepConformance, StepsOfOneEventInOneCallCountEach) {
  const AcceptRow row = accept_event("e", {"a", "b"});
  const std::vector<StepLease> leases = {claim("a").front(), claim("b").front()};
  EXPECT_EQ(*store_->complete(leases, "ok"), (std::vector<bool>{true, true}));
  EXPECT_EQ(event(row).status, "PROCESSED");
}

TEST_P(StepConformance, R4_ALateHolderIsFenced) {
  const AcceptRow row = accept_event("e", {"send"});
  const StepLease late = claim("send", 1, std::chrono::milliseconds(1)).front();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto again = claim("send");
  ASSERT_EQ(again.size(), 1u) << "an expired lease is a ready row";
  EXPECT_EQ(again[0].attempt, 2u);
  EXPECT_FALSE(complete(late));
  EXPECT_FALSE(*store_->put_back(late, std::chrono::seconds(0), "late"));
  EXPECT_FALSE(*store_->give_up(late, "late"));
  EXPECT_EQ(event(row).status, "RECEIVED");
  EXPECT_TRUE(complete(again[0]));
}

TEST_P(StepConformance, AStepThatIsPutBackIsReadyAfterItsDelay) {
  const AcceptRow row = accept_event("e", {"send"});
  EXPECT_TRUE(*store_->put_back(claim("send").front(), kLong, "timed out"));
  EXPECT_TRUE(claim("send").empty());
  const OutboxRow waiting = (*store_->find(row.inbox_id))->outbox.front();
  EXPECT_EQ(waiting.last_error, "timed out");
  EXPECT_EQ(waiting.attempt, 1u);
  accept_event("f", {"send"});
  EXPECT_TRUE(*store_->put_back(claim("send").front(), std::chrono::seconds(0), "again"));
  EXPECT_EQ(claim("send").front().attempt, 2u);
}

TEST_P(StepConformance, R5_AStepThatIsGivenUpMakesTheEventFailed) {
  const AcceptRow row = accept_event("e", {"a", "b"});
  EXPECT_TRUE(*store_->give_up(claim("a").front(), "no such customer"));
  EXPECT_EQ(event(row).status, "FAILED");
  EXPECT_EQ(event(row).diagnosis, "no such customer");
  EXPECT_TRUE(complete(claim("b").front()));
  EXPECT_EQ(event(row).status, "FAILED") << "the others do not make up for it";
}

TEST_P(StepConformance, AReplayIsANewGeneration) {
  const AcceptRow row = accept_event("e", {"a"});
  complete(claim("a").front());
  EXPECT_TRUE(*store_->replay(row.inbox_id, {"a"}));
  EXPECT_EQ(event(row).status, "RECEIVED");
  EXPECT_EQ(event(row).generation, 1u);
  const auto again = claim("a");
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].generation, 1u);
  EXPECT_TRUE(complete(again[0]));
  EXPECT_EQ(event(row).status, "PROCESSED");
}

TEST_P(StepConformance, AReplayTakesUnfinishedStepsAlong) {
  const AcceptRow row = accept_event("e", {"a", "b"});
  const StepLease running = claim("a").front();
  complete(claim("b").front());
  EXPECT_TRUE(*store_->replay(row.inbox_id, {"b"}));
  EXPECT_EQ(event(row).steps_left, 2u);
  EXPECT_TRUE(complete(running)) << "its lease still holds";
  EXPECT_TRUE(*store_->replay(row.inbox_id, {"b"}));
  EXPECT_EQ(event(row).generation, 2u);
  EXPECT_EQ(event(row).steps_left, 1u);
  EXPECT_TRUE(complete(claim("b").front()));
  EXPECT_EQ(event(row).status, "PROCESSED");
}

TEST_P(StepConformance, AReplayedStepThatIsBeingDoneIsFenced) {
  const AcceptRow row = accept_event("e", {"a"});
  const StepLease running = claim("a").front();
  EXPECT_TRUE(*store_->replay(row.inbox_id, {"a"}));
  EXPECT_FALSE(complete(running));
  EXPECT_EQ(event(row).steps_left, 1u);
}

TEST_P(StepConformance, OnlyAcceptedEventsAreReplayed) {
  const AcceptRow held = waiting_row("h", EventStatus::kHeld);
  accept({held});
  EXPECT_FALSE(*store_->replay(held.inbox_id, {"a"}));
  EXPECT_FALSE(*store_->replay(make_uuid7(1), {"a"}));
}

TEST_P(StepConformance, ManyWorkersDoEachStepOnce) {
  constexpr int kEvents = 60;
  std::vector<AcceptRow> rows;
  for (int i = 0; i < kEvents; ++i) rows.push_back(make_row("e" + std::to_string(i)));
  accept(rows);
  std::atomic<int> done = 0;
  std::vector<std::thread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&] {
      for (int i = 0; i < 200 && done < kEvents; ++i) {
        for (const StepLease& lease : claim("default", 5)) done += complete(lease);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(done, kEvents);
  EXPECT_EQ(store_->status_counts()->at("PROCESSED"), static_cast<uint64_t>(kEvents));
}

WEBHOOK_TEST_ON_ALL_STORES(StepConformance);

}  // namespace
}  // namespace webhook
