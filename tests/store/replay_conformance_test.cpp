// Every store: signatures that were seen before.
#include <atomic>
#include <random>
#include <thread>

#include "conformance.h"

namespace webhook {
namespace {

using testing::make_row;
using Kind = AcceptOutcome::Kind;

AcceptRow signed_row(const std::string& event_id, uint8_t signature) {
  AcceptRow row = make_row(event_id);
  row.signature_digest.emplace();
  row.signature_digest->fill(signature);
  return row;
}

class ReplayConformance : public testing::StoreConformance {};

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

WEBHOOK_TEST_ON_ALL_STORES(ReplayConformance);

}  // namespace
}  // namespace webhook
