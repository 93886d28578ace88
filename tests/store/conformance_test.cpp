// What every store must do.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "backends.h"
#include "processor/crypto/data_keys.h"
#include "test_support.h"

namespace webhook {
namespace {

using testing::make_row;
using Kind = AcceptOutcome::Kind;

class StoreConformance : public ::testing::TestWithParam<testing::Backend> {
 protected:
  void SetUp() override { reopen(); }

  void reopen() {
    store_.reset();
    auto store = harness_->open();
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }

  std::vector<AcceptOutcome> accept(const std::vector<AcceptRow>& rows) {
    const auto outcomes = store_->accept(rows);
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes.value_or(std::vector<AcceptOutcome>(rows.size()));
  }

  uint64_t count(const EventFilter& filter = {}) { return store_->count(filter).value(); }

  std::unique_ptr<testing::StoreHarness> harness_ = GetParam().make();
  std::unique_ptr<Store> store_;
};

TEST_P(StoreConformance, R30_AcceptsAnEventWithPayloadAndOutbox) {
  AcceptRow row = make_row("evt_1");
  row.account = "acct";
  row.object_id = "obj";
  row.object_version = "3";
  row.created_at_ms = 1111;
  row.expires_at_ms = 2222;
  const auto outcomes = accept({row});
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[0].inbox_id, row.inbox_id);

  const auto found = store_->find(row.inbox_id);
  ASSERT_TRUE(found && *found);
  const StoredEvent& stored = **found;
  EXPECT_EQ(stored.event.key, row.key);
  EXPECT_EQ(stored.event.status, "RECEIVED");
  EXPECT_EQ(stored.event.steps_left, 1u);
  EXPECT_EQ(stored.event.generation, 0u);
  EXPECT_EQ(stored.event.account, "acct");
  EXPECT_EQ(stored.event.object_id, "obj");
  EXPECT_EQ(stored.event.object_version, "3");
  EXPECT_EQ(stored.event.created_at_ms, 1111);
  EXPECT_EQ(stored.event.signed_at_ms, std::nullopt);
  EXPECT_EQ(stored.event.expires_at_ms, 2222);
  EXPECT_EQ(stored.event.payload_id, row.payload_id);
  EXPECT_EQ(stored.blob, row.blob);
  ASSERT_EQ(stored.outbox.size(), 1u);
  EXPECT_EQ(stored.outbox[0].step, "default");
}

TEST_P(StoreConformance, R2_ADuplicateGivesTheFirstIdAndCreatesNothing) {
  const AcceptRow first = make_row("evt_1");
  const AcceptRow again = make_row("evt_1");
  accept({first});
  const auto outcomes = accept({again});
  EXPECT_EQ(outcomes[0].kind, Kind::kDuplicate);
  EXPECT_EQ(outcomes[0].inbox_id, first.inbox_id);
  EXPECT_EQ(count(), 1u);
  EXPECT_FALSE(store_->find(again.inbox_id)->has_value());
  EXPECT_EQ((*store_->find(first.inbox_id))->blob, first.blob);
}

TEST_P(StoreConformance, R31_EveryPartOfTheKeyCounts) {
  std::vector<AcceptRow> rows(5, make_row("evt_1"));
  rows[1].key.tenant = "other";
  rows[2].key.provider = "other";
  rows[3].key.endpoint = "other";
  rows[4].key.event_id = "EVT_1";
  for (AcceptRow& row : rows) row.inbox_id = row.payload_id = make_uuid7(unix_ms());
  for (const AcceptOutcome& outcome : accept(rows)) EXPECT_EQ(outcome.kind, Kind::kAccepted);
}

TEST_P(StoreConformance, OfCopiesInOneBatchTheFirstIsAccepted) {
  const std::vector<AcceptRow> rows = {make_row("b"), make_row("a"), make_row("b"), make_row("b")};
  const auto outcomes = accept(rows);
  EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[1].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[2].kind, Kind::kDuplicate);
  EXPECT_EQ(outcomes[2].inbox_id, rows[0].inbox_id);
  EXPECT_EQ(outcomes[3].inbox_id, rows[0].inbox_id);
  EXPECT_EQ(count(), 2u);
}

TEST_P(StoreConformance, R62_OfFiveHundredConcurrentCopiesOneIsAccepted) {
  constexpr int kThreads = 10;
  constexpr int kEach = 50;
  std::vector<std::vector<AcceptOutcome>> outcomes(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t, &outcomes] {
      for (int i = 0; i < kEach; ++i) {
        const std::vector<AcceptRow> rows = {make_row("evt_1")};
        outcomes[t].push_back(store_->accept(rows)->front());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int accepted = 0;
  std::set<Uuid> ids;
  for (const auto& each : outcomes) {
    for (const AcceptOutcome& outcome : each) {
      accepted += outcome.kind == Kind::kAccepted;
      ids.insert(outcome.inbox_id);
    }
  }
  EXPECT_EQ(accepted, 1);
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ((*store_->find(*ids.begin()))->outbox.size(), 1u);
}

TEST_P(StoreConformance, APoisonRowKeepsNoOtherOut) {
  accept({make_row("known")});
  std::vector<AcceptRow> rows = {make_row("c"), make_row("a"), make_row("bad1"), make_row("known"),
                                 make_row("bad2")};
  // A payload id that another row of the batch has already taken.
  rows[2].payload_id = rows[1].payload_id;
  rows[4].payload_id = rows[1].payload_id;
  const auto outcomes = accept(rows);
  EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[1].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[2].kind, Kind::kRejected);
  EXPECT_EQ(outcomes[3].kind, Kind::kDuplicate);
  EXPECT_EQ(outcomes[4].kind, Kind::kRejected);
  EXPECT_FALSE(outcomes[4].why.empty());
  EXPECT_EQ(count(), 3u);
  EXPECT_FALSE(store_->find(rows[2].inbox_id)->has_value()) << "nothing of it may stay";
}

TEST_P(StoreConformance, ABatchOfNothingIsFine) {
  EXPECT_TRUE(accept({}).empty());
}

TEST_P(StoreConformance, ListsNewestFirstAndFilters) {
  std::vector<Uuid> ids;
  for (int i = 0; i < 5; ++i) {
    AcceptRow row = make_row("e" + std::to_string(i), i % 2 ? "odd" : "even");
    row.inbox_id = make_uuid7(1000 + i);
    row.received_at_ms = 1000 + i;
    row.event_type = i == 4 ? "special" : "plain";
    ids.push_back(row.inbox_id);
    accept({row});
  }
  const auto listed = [this](const EventFilter& filter, size_t limit) {
    std::vector<std::string> names;
    const auto rows = store_->events(filter, limit);
    for (const EventRow& row : *rows) {
      names.push_back(row.key.event_id);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(listed({}, 3), (Names{"e4", "e3", "e2"}));
  EXPECT_EQ(listed({.tenant = "odd"}, 9), (Names{"e3", "e1"}));
  EXPECT_EQ(listed({.event_type = "special"}, 9), (Names{"e4"}));
  EXPECT_EQ(listed({.event_id = "e2"}, 9), (Names{"e2"}));
  EXPECT_EQ(listed({.since_ms = 1003}, 9), (Names{"e4", "e3"}));
  EXPECT_EQ(listed({.status = "PROCESSED"}, 9), Names{});
  EXPECT_EQ(listed({.provider = "github"}, 9), Names{});
  EXPECT_EQ(count({.tenant = "even"}), 3u);
  EXPECT_EQ(count({.tenant = "even", .since_ms = 1002}), 2u);
  EXPECT_EQ(store_->status_counts()->at("RECEIVED"), 5u);
  EXPECT_EQ(*store_->oldest_unprocessed_ms(), 1000);
}

TEST_P(StoreConformance, AnEmptyStoreSaysSo) {
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(store_->status_counts()->empty());
  EXPECT_EQ(*store_->oldest_unprocessed_ms(), std::nullopt);
  EXPECT_TRUE(store_->data_keys()->empty());
  EXPECT_FALSE(store_->find(make_uuid7(1))->has_value());
}

TEST_P(StoreConformance, R1_WhatWasAcceptedIsThereAfterReopening) {
  std::vector<AcceptRow> rows;
  for (int i = 0; i < 200; ++i) rows.push_back(make_row("e" + std::to_string(i)));
  accept(rows);
  ASSERT_TRUE(store_->maintain());
  DataKey key;
  key.key_id = {9, 8, 7};
  key.kind = DataKey::Kind::kDigest;
  key.kek = "abc";
  key.wrapped = std::string("\0wrapped", 8);
  ASSERT_TRUE(store_->save_data_key(key));
  reopen();
  EXPECT_EQ(count(), 200u);
  EXPECT_EQ(accept({make_row("e7")})[0].inbox_id, rows[7].inbox_id);
  const auto keys = store_->data_keys();
  ASSERT_EQ(keys->size(), 1u);
  EXPECT_EQ(keys->front().key_id, key.key_id);
  EXPECT_EQ(keys->front().kind, DataKey::Kind::kDigest);
  EXPECT_EQ(keys->front().wrapped, key.wrapped);
}

TEST_P(StoreConformance, ADataKeyIsNeverReplaced) {
  DataKey key;
  ASSERT_TRUE(store_->save_data_key(key));
  const auto again = store_->save_data_key(key);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, StoreError::Kind::kPoison);
}

TEST_P(StoreConformance, RecordsOperators) {
  EXPECT_TRUE(store_->log_operator({1, "alice", "show_payload", make_uuid7(1), ""}));
  EXPECT_TRUE(store_->log_operator({2, "bob", "status", std::nullopt, "curious"}));
}

TEST_P(StoreConformance, ReadsGoOnBesideWrites) {
  std::thread writer([this] {
    for (int i = 0; i < 100; ++i) {
      const std::vector<AcceptRow> rows = {make_row("w" + std::to_string(i))};
      EXPECT_TRUE(store_->accept(rows));
      EXPECT_TRUE(store_->maintain());
    }
  });
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(store_->events({}, 10));
  writer.join();
  EXPECT_EQ(count(), 100u);
}

// --- what a delivery meets ----------------------------------------------------

AcceptRow waiting_row(const std::string& event_id, EventStatus status) {
  AcceptRow row = make_row(event_id);
  row.status = status;
  return row;
}

class TwinConformance : public StoreConformance {
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

// --- signatures seen ------------------------------------------------------------

AcceptRow signed_row(const std::string& event_id, uint8_t signature) {
  AcceptRow row = make_row(event_id);
  row.signature_digest.emplace();
  row.signature_digest->fill(signature);
  return row;
}

class ReplayConformance : public StoreConformance {};

TEST_P(ReplayConformance, ASignatureUnderAnotherIdIsNoNewEvent) {
  const AcceptRow first = signed_row("a", 1);
  accept({first});
  const auto outcomes = accept({signed_row("b", 1), signed_row("a", 1), signed_row("c", 2)});
  EXPECT_EQ(outcomes[0].kind, Kind::kReplay);
  EXPECT_EQ(outcomes[0].inbox_id, first.inbox_id);
  EXPECT_EQ(outcomes[1].kind, Kind::kDuplicate);
  EXPECT_EQ(outcomes[2].kind, Kind::kAccepted);
  EXPECT_EQ(count(), 2u);
}

TEST_P(ReplayConformance, OfOneBatchOneIdWins) {
  const auto outcomes = accept({signed_row("a", 1), signed_row("b", 1), signed_row("a", 1)});
  int accepted = 0;
  for (const AcceptOutcome& outcome : outcomes) accepted += outcome.kind == Kind::kAccepted;
  EXPECT_EQ(accepted, 1);
  EXPECT_EQ(count(), 1u);
}

TEST_P(ReplayConformance, AnotherEndpointIsAnotherGuard) {
  std::vector<AcceptRow> rows(4, signed_row("a", 1));
  rows[1].key.tenant = "other";
  rows[2].key.provider = "other";
  rows[3].key.endpoint = "other";
  for (AcceptRow& row : rows) row.inbox_id = row.payload_id = make_uuid7(unix_ms());
  for (const AcceptOutcome& outcome : accept(rows)) EXPECT_EQ(outcome.kind, Kind::kAccepted);
}

// The known event has the new signature from now on.
TEST_P(ReplayConformance, AKnownIdWithNewBytesIsADuplicateAndGuardsThem) {
  const AcceptRow first = signed_row("a", 1);
  accept({first});
  EXPECT_EQ(accept({signed_row("a", 2)})[0].kind, Kind::kDuplicate);
  const auto outcomes = accept({signed_row("b", 2)});
  EXPECT_EQ(outcomes[0].kind, Kind::kReplay);
  EXPECT_EQ(outcomes[0].inbox_id, first.inbox_id);
}

TEST_P(ReplayConformance, AHeldTwinWithTheSameSignatureIsTakenUp) {
  AcceptRow held = signed_row("a", 1);
  held.status = EventStatus::kHeld;
  accept({held});
  EXPECT_EQ(accept({signed_row("a", 1)})[0].kind, Kind::kAccepted);
}

// Whoever sends a captured request again under the id of an event that is held
// must not have it accepted with another event's body.
TEST_P(ReplayConformance, AnotherEventsSignatureTakesUpNoHeldEvent) {
  const AcceptRow first = signed_row("a", 1);
  AcceptRow held = signed_row("b", 2);
  held.status = EventStatus::kHeld;
  accept({first, held});
  const auto outcomes = accept({signed_row("b", 1)});
  EXPECT_EQ(outcomes[0].kind, Kind::kReplay);
  EXPECT_EQ(outcomes[0].inbox_id, first.inbox_id);
  EXPECT_EQ(accept({signed_row("b", 3)})[0].kind, Kind::kAccepted) << "it was still held";
}

TEST_P(ReplayConformance, OverlappingBatchesOfManyWritersDoNotFail) {
  std::vector<std::thread> threads;
  std::atomic<int> accepted = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < 20; ++i) {
        std::vector<AcceptRow> rows;
        for (int n = 0; n < 32; ++n) {
          const unsigned pick = random() % 40;
          rows.push_back(
              signed_row("e" + std::to_string(random() % 40), static_cast<uint8_t>(pick)));
        }
        const auto outcomes = store_->accept(rows);
        ASSERT_TRUE(outcomes) << outcomes.error().message;
        for (const AcceptOutcome& outcome : *outcomes) accepted += outcome.kind == Kind::kAccepted;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(static_cast<uint64_t>(accepted), count());
  EXPECT_LE(count(), 40u);
}

// --- values ---------------------------------------------------------------------

TEST_P(StoreConformance, KeepsEveryByte) {
  AcceptRow row = make_row("\xe2\x82\xac \"' \\ \x01\x7f" + std::string(200, 'x'), "\xc3\xa9");
  row.blob.clear();
  for (int i = 0; i < 3000; ++i) row.blob.push_back(static_cast<char>(i * 7));
  row.created_at_ms = -1;
  accept({row});
  const StoredEvent stored = **store_->find(row.inbox_id);
  EXPECT_EQ(stored.event.key, row.key);
  EXPECT_EQ(stored.blob, row.blob);
  EXPECT_EQ(stored.event.created_at_ms, -1);
  EXPECT_EQ(accept({make_row(row.key.event_id, row.key.tenant)})[0].kind, Kind::kDuplicate);
}

TEST_P(StoreConformance, ATimeOutsideOfTheCalendarKeepsNoEventOut) {
  AcceptRow row = make_row("e");
  row.created_at_ms = INT64_MAX;
  row.expires_at_ms = INT64_MIN;
  EXPECT_EQ(accept({row})[0].kind, Kind::kAccepted);
}

TEST_P(StoreConformance, ALargePayloadGoesIn) {
  AcceptRow row = make_row("e");
  row.blob.assign(size_t{5} << 20, '\xaa');
  accept({row});
  EXPECT_EQ((*store_->find(row.inbox_id))->blob, row.blob);
}

// --- steps ----------------------------------------------------------------------

class StepConformance : public StoreConformance {
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

// --- keys -----------------------------------------------------------------------

TEST_P(StoreConformance, ThereIsOneCanaryAndOneDigestKey) {
  for (const auto kind : {DataKey::Kind::kCanary, DataKey::Kind::kDigest}) {
    DataKey key;
    key.kind = kind;
    key.key_id = {1, static_cast<uint8_t>(kind)};
    ASSERT_TRUE(store_->save_data_key(key));
    key.key_id = {2, static_cast<uint8_t>(kind)};
    const auto second = store_->save_data_key(key);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, StoreError::Kind::kPoison);
  }
  DataKey payload;
  payload.key_id = {3};
  EXPECT_TRUE(store_->save_data_key(payload));
  payload.key_id = {4};
  EXPECT_TRUE(store_->save_data_key(payload));
}

TEST_P(StoreConformance, OfTwoRingsOnAnEmptyStoreOneWins) {
  testing::TempDir dir;
  std::atomic<int> started = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      started += DataKeys::open(dir.file("ring" + std::to_string(t)), *store_).has_value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(started, 1);
  int again = 0;
  for (int t = 0; t < 4; ++t) {
    again += DataKeys::check(dir.file("ring" + std::to_string(t)), *store_).has_value();
  }
  EXPECT_EQ(again, 1);
}

const auto kBackends = ::testing::ValuesIn(testing::all_backends());
const auto kName = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(Stores, StoreConformance, kBackends, kName);
INSTANTIATE_TEST_SUITE_P(Stores, TwinConformance, kBackends, kName);
INSTANTIATE_TEST_SUITE_P(Stores, ReplayConformance, kBackends, kName);
INSTANTIATE_TEST_SUITE_P(Stores, StepConformance, kBackends, kName);

}  // namespace
}  // namespace webhook
