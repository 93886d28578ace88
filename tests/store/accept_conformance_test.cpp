// Every store: what is accepted, found, counted and listed; values stay what they are.
#include <set>
#include <thread>

#include "conformance.h"
#include "processor/crypto/data_keys.h"

namespace webhook {
namespace {

using testing::make_row;
using Kind = AcceptOutcome::Kind;

class AcceptConformance : public testing::StoreConformance {};

TEST_P(AcceptConformance, R30_AcceptsAnEventWithPayloadAndOutbox) {
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

TEST_P(AcceptConformance, R2_ADuplicateGivesTheFirstIdAndCreatesNothing) {
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

TEST_P(AcceptConformance, R31_EveryPartOfTheKeyCounts) {
  std::vector<AcceptRow> rows(5, make_row("evt_1"));
  rows[1].key.tenant = "other";
  rows[2].key.provider = "other";
  rows[3].key.endpoint = "other";
  rows[4].key.event_id = "EVT_1";
  for (AcceptRow& row : rows) row.inbox_id = row.payload_id = make_uuid7(unix_ms());
  for (const AcceptOutcome& outcome : accept(rows)) EXPECT_EQ(outcome.kind, Kind::kAccepted);
}

TEST_P(AcceptConformance, OfCopiesInOneBatchTheFirstIsAccepted) {
  const std::vector<AcceptRow> rows = {make_row("b"), make_row("a"), make_row("b"), make_row("b")};
  const auto outcomes = accept(rows);
  EXPECT_EQ(outcomes[0].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[1].kind, Kind::kAccepted);
  EXPECT_EQ(outcomes[2].kind, Kind::kDuplicate);
  EXPECT_EQ(outcomes[2].inbox_id, rows[0].inbox_id);
  EXPECT_EQ(outcomes[3].inbox_id, rows[0].inbox_id);
  EXPECT_EQ(count(), 2u);
}

TEST_P(AcceptConformance, R62_OfFiveHundredConcurrentCopiesOneIsAccepted) {
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

TEST_P(AcceptConformance, APoisonRowKeepsNoOtherOut) {
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

TEST_P(AcceptConformance, ABatchOfNothingIsFine) {
  EXPECT_TRUE(accept({}).empty());
}

TEST_P(AcceptConformance, ListsNewestFirstAndFilters) {
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

TEST_P(AcceptConformance, AnEmptyStoreSaysSo) {
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(store_->status_counts()->empty());
  EXPECT_EQ(*store_->oldest_unprocessed_ms(), std::nullopt);
  EXPECT_TRUE(store_->data_keys()->empty());
  EXPECT_FALSE(store_->find(make_uuid7(1))->has_value());
}

TEST_P(AcceptConformance, R1_WhatWasAcceptedIsThereAfterReopening) {
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

TEST_P(AcceptConformance, ADataKeyIsNeverReplaced) {
  DataKey key;
  ASSERT_TRUE(store_->save_data_key(key));
  const auto again = store_->save_data_key(key);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, StoreError::Kind::kPoison);
}

TEST_P(AcceptConformance, RecordsOperators) {
  EXPECT_TRUE(store_->log_operator({1, "alice", "show_payload", make_uuid7(1), ""}));
  EXPECT_TRUE(store_->log_operator({2, "bob", "status", std::nullopt, "curious"}));
}

TEST_P(AcceptConformance, ReadsGoOnBesideWrites) {
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

// --- values ---------------------------------------------------------------------

TEST_P(AcceptConformance, KeepsEveryByte) {
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

TEST_P(AcceptConformance, ATimeOutsideOfTheCalendarKeepsNoEventOut) {
  AcceptRow row = make_row("e");
  row.created_at_ms = INT64_MAX;
  row.expires_at_ms = INT64_MIN;
  EXPECT_EQ(accept({row})[0].kind, Kind::kAccepted);
}

TEST_P(AcceptConformance, ALargePayloadGoesIn) {
  AcceptRow row = make_row("e");
  row.blob.assign(size_t{5} << 20, '\xaa');
  accept({row});
  EXPECT_EQ((*store_->find(row.inbox_id))->blob, row.blob);
}

WEBHOOK_TEST_ON_ALL_STORES(AcceptConformance);

}  // namespace
}  // namespace webhook
