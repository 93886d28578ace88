// From an encoded event to the stored row and its answer, without sockets.
#include "processor/accept/pipeline.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <thread>

#include "processor/admin/service.h"
#include "processor/crypto/sealed_blob.h"
#include "processor/link/frame_decoder.h"
#include "processor/link/frame_writer.h"
#include "processor/store/open_store.h"
#include "test_support.h"

namespace webhook {
namespace {

using link::Admission;

// Collects answers by stream.
class CollectedAnswers : public link::Replier {
 public:
  void reply(std::vector<link::Reply> replies) override {
    const std::lock_guard lock(mutex_);
    for (link::Reply& reply : replies) {
      results_[reply.address.stream] = reply.answer.results(0);
    }
    changed_.notify_all();
  }

  v1::Result wait_for(uint64_t stream) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return results_.count(stream) > 0; });
    return results_[stream];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, v1::Result> results_;
};

// A store whose accept() is what the test says.
class FailingStore : public Store {
 public:
  explicit FailingStore(Store& store) : store_(store) {}

  std::string name() const override { return store_.name(); }
  size_t max_committers() const override { return 1; }
  StoreResult<std::vector<AcceptOutcome>> accept(std::span<const AcceptRow> rows) override {
    std::this_thread::sleep_for(delay);
    if (const auto once = std::exchange(fail_once, std::nullopt)) {
      return tl::make_unexpected(*once);
    }
    if (error) return tl::make_unexpected(*error);
    return store_.accept(rows);
  }
  StoreResult<void> maintain() override { return store_.maintain(); }
  StoreResult<std::vector<EventRow>> events(const EventFilter& filter, size_t limit) override {
    return store_.events(filter, limit);
  }
  StoreResult<uint64_t> count(const EventFilter& filter) override { return store_.count(filter); }
  StoreResult<std::optional<StoredEvent>> find(const Uuid& id) override { return store_.find(id); }
  StoreResult<std::map<std::string, uint64_t>> status_counts() override {
    return store_.status_counts();
  }
  StoreResult<std::optional<int64_t>> oldest_unprocessed_ms() override {
    return store_.oldest_unprocessed_ms();
  }
  StoreResult<std::vector<StepLease>> claim(const std::string& step, size_t limit,
                                            std::chrono::milliseconds duration) override {
    return store_.claim(step, limit, duration);
  }
  StoreResult<std::vector<bool>> complete(std::span<const StepLease> leases,
                                          const std::string& result) override {
    return store_.complete(leases, result);
  }
  StoreResult<bool> put_back(const StepLease& lease, std::chrono::milliseconds wait,
                             const std::string& why) override {
    return store_.put_back(lease, wait, why);
  }
  StoreResult<bool> give_up(const StepLease& lease, const std::string& diagnosis) override {
    return store_.give_up(lease, diagnosis);
  }
  StoreResult<bool> replay(const Uuid& id, const std::vector<std::string>& steps) override {
    return store_.replay(id, steps);
  }
  StoreResult<void> log_operator(const OperatorAction& action) override {
    if (error) return tl::make_unexpected(*error);
    return store_.log_operator(action);
  }
  StoreResult<void> save_data_key(const DataKey& key) override { return store_.save_data_key(key); }
  StoreResult<std::vector<DataKey>> data_keys() override { return store_.data_keys(); }

  std::optional<StoreError> error;
  std::optional<StoreError> fail_once;
  std::chrono::milliseconds delay{0};

 private:
  Store& store_;
};

class PipelineTest : public ::testing::Test {
 protected:
  PipelineTest() {
    real_ = std::move(*open_store({.dsn = "sqlite:" + dir_.file("inbox.db")}));
    store_ = std::make_unique<FailingStore>(*real_);
    keys_ = std::move(*DataKeys::open(dir_.file("keys"), *store_));
    pipeline_ = std::make_unique<Pipeline>(PipelineOptions{.threads = 2, .batch = {}}, *store_,
                                           *keys_, answers_, [this] { ++fatal_; });
    v1::EventSpec spec;
    v1::Source& id = *spec.mutable_event_id()->add_choices()->add_parts();
    id.set_kind(v1::Source::KIND_JSON);
    id.set_name("/id");
    event_.set_tenant("acme");
    event_.set_provider("stripe");
    event_.set_endpoint("main");
    event_.set_received_at_ms(unix_ms());
    event_.set_deadline_ns(monotonic_ns() + 20'000 * kNsPerMs);
    event_.set_secret_version("v1");
    event_.set_method("POST");
    event_.set_target("/hooks");
    event_.set_spec(spec.SerializeAsString());
    v1::Header& header = *event_.add_headers();
    header.set_name("Content-Type");
    header.set_value("application/json");
  }

  void send(uint64_t stream, const std::string& body) {
    v1::Frame frame;
    frame.set_stream(stream);
    *frame.mutable_event() = event_;
    std::string bytes;
    link::append_frame(bytes, frame, body);
    std::vector<link::Frame> frames;
    ASSERT_TRUE(link::FrameDecoder(1 << 20).feed(bytes, frames));
    auto permit = admission_->admit(1);
    ASSERT_TRUE(permit);
    pipeline_->on_event({{1, stream}, std::move(*permit), std::move(frames.front())});
  }

  v1::Result answer_to(const std::string& body) {
    send(++stream_, body);
    return answers_.wait_for(stream_);
  }

  static Reason reason_of(const v1::Result& result) { return reason_from_number(result.reason()); }

  StoredEvent stored(const v1::Result& result) {
    Uuid id{};
    std::copy(result.inbox_id().begin(), result.inbox_id().end(), id.begin());
    return store_->find(id)->value();
  }

  testing::TempDir dir_;
  std::shared_ptr<Admission> admission_ = std::make_shared<Admission>(10'000, size_t{1} << 30);
  CollectedAnswers answers_;
  std::atomic<int> fatal_ = 0;
  std::unique_ptr<Store> real_;
  std::unique_ptr<FailingStore> store_;
  std::unique_ptr<DataKeys> keys_;
  std::unique_ptr<Pipeline> pipeline_;
  v1::Event event_;
  uint64_t stream_ = 0;
};

TEST_F(PipelineTest, R1_AnAcceptedEventIsInTheStore) {
  const v1::Result result = answer_to(R"({"id":"evt_1"})");
  EXPECT_EQ(result.decision(), v1::ACCEPTED);
  EXPECT_EQ(result.event_id(), "evt_1");
  ASSERT_EQ(result.inbox_id().size(), 16u);
  EXPECT_EQ(stored(result).event.key.event_id, "evt_1");
  EXPECT_EQ(pipeline_->counters().accepted, 1u);
}

TEST_F(PipelineTest, R2_ADuplicateNamesTheFirst) {
  const v1::Result first = answer_to(R"({"id":"evt_1"})");
  const v1::Result again = answer_to(R"({"id":"evt_1", "retry":1})");
  EXPECT_EQ(again.decision(), v1::DUPLICATE);
  EXPECT_EQ(again.inbox_id(), first.inbox_id());
}

TEST_F(PipelineTest, R33_ThePayloadIsSealedByteForByte) {
  const std::string body = R"({"id":"evt_1","note":")" + std::string(5000, 'n') + "\"}";
  const v1::Result result = answer_to(body);
  EXPECT_EQ(stored(result).blob->find("nnnn"), std::string::npos);
  admin::Service service(*store_, *keys_, pipeline_->counters(), *admission_);
  v1::AdminRequest request;
  request.set_operator_("alice");
  request.mutable_show_event()->set_inbox_id(uuid_text(stored(result).event.inbox_id));
  EXPECT_FALSE(service.handle(request, 0).event().has_payload());
  request.mutable_show_event()->set_raw(true);
  const v1::AdminResponse shown = service.handle(request, 0);
  ASSERT_EQ(shown.error(), "");
  EXPECT_EQ(shown.event().payload().body(), body);
  EXPECT_EQ(shown.event().payload().target(), "/hooks");
  EXPECT_EQ(shown.event().payload().headers(0).name(), "Content-Type");
}

TEST_F(PipelineTest, R52_WhatCannotBeRecordedIsNotShown) {
  const v1::Result result = answer_to(R"({"id":"evt_1"})");
  store_->error = StoreError{StoreError::Kind::kTransient, "disk full"};
  admin::Service service(*store_, *keys_, pipeline_->counters(), *admission_);
  v1::AdminRequest request;
  request.set_operator_("alice");
  request.mutable_show_event()->set_inbox_id(uuid_text(stored(result).event.inbox_id));
  request.mutable_show_event()->set_raw(true);
  const v1::AdminResponse refused = service.handle(request, 0);
  EXPECT_NE(refused.error().find("disk full"), std::string::npos);
  EXPECT_FALSE(refused.has_event());
}

TEST_F(PipelineTest, R14_TheRecordExpiresOnlyWhereATimeWasSigned) {
  EXPECT_EQ(stored(answer_to(R"({"id":"a"})")).event.expires_at_ms, std::nullopt);
  event_.set_signed_at_ms(event_.received_at_ms());
  EXPECT_EQ(stored(answer_to(R"({"id":"b"})")).event.expires_at_ms,
            event_.received_at_ms() + 90 * kMsPerDay);
}

TEST_F(PipelineTest, RefusesWithoutStoring) {
  EXPECT_EQ(reason_of(answer_to("nope")), Reason::kBodyMalformed);
  EXPECT_EQ(reason_of(answer_to("{}")), Reason::kEventIdMissing);
  event_.set_tenant(std::string(256, 't'));
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kFieldInvalid);
  event_.set_tenant("t");
  event_.set_spec("\xff");
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kInternal);
  EXPECT_EQ(store_->count({}).value(), 0u);
  EXPECT_EQ(pipeline_->counters().refused, 3u);
}

TEST_F(PipelineTest, ALateEventIsNotStored) {
  event_.set_deadline_ns(monotonic_ns() - 1);
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kDeadline);
  EXPECT_EQ(store_->count({}).value(), 0u);
}

TEST_F(PipelineTest, WhatWouldBeLateIsTurnedAwayAtOnce) {
  store_->delay = std::chrono::milliseconds(150);
  answer_to(R"({"id":"teaches the estimate"})");
  send(100, R"({"id":"in flight"})");
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  event_.set_deadline_ns(monotonic_ns() + 200 * kNsPerMs);
  const uint64_t began = monotonic_ns();
  EXPECT_EQ(reason_of(answer_to(R"({"id":"hopeless"})")), Reason::kDeadline);
  EXPECT_LT(monotonic_ns() - began, 100 * kNsPerMs);
  EXPECT_EQ(reason_of(answers_.wait_for(100)), Reason::kAccepted);
}

TEST_F(PipelineTest, R3_AStoreThatIsDownIsUnavailableAndALaterRetryConverges) {
  store_->error = StoreError{StoreError::Kind::kTransient, "disk full"};
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kStoreUnavailable);
  EXPECT_EQ(fatal_, 0);
  store_->error.reset();
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kAccepted);
}

TEST_F(PipelineTest, AfterAFatalErrorNothingIsAcceptedAnyMore) {
  store_->error = StoreError{StoreError::Kind::kFatal, "fsync failed"};
  EXPECT_EQ(reason_of(answer_to(R"({"id":"x"})")), Reason::kStoreUnavailable);
  for (int i = 0; i < 1000 && fatal_ == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(fatal_, 1);
  store_->error.reset();
  EXPECT_EQ(reason_of(answer_to(R"({"id":"y"})")), Reason::kStoreUnavailable);
  EXPECT_EQ(store_->count({}).value(), 0u);
}

// A commit that seems to work after a failed fsync proves nothing.
TEST_F(PipelineTest, WhatWasQueuedAtAFatalErrorIsNotCommitted) {
  store_->fail_once = StoreError{StoreError::Kind::kFatal, "fsync failed"};
  store_->delay = std::chrono::milliseconds(300);
  send(1, R"({"id":"first"})");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (uint64_t stream = 2; stream <= 100; ++stream) {
    send(stream, R"({"id":")" + std::to_string(stream) + "\"}");
  }
  for (uint64_t stream = 1; stream <= 100; ++stream) {
    EXPECT_EQ(reason_of(answers_.wait_for(stream)), Reason::kStoreUnavailable);
  }
  EXPECT_EQ(store_->count({}).value(), 0u);
  EXPECT_EQ(fatal_, 1);
}

TEST_F(PipelineTest, R62_CopiesInFlightTogetherMakeOneRow) {
  for (uint64_t stream = 1; stream <= 300; ++stream) send(stream, R"({"id":"same"})");
  std::map<v1::Decision, int> decisions;
  std::string inbox_id = answers_.wait_for(1).inbox_id();
  for (uint64_t stream = 1; stream <= 300; ++stream) {
    const v1::Result result = answers_.wait_for(stream);
    ++decisions[result.decision()];
    EXPECT_EQ(result.inbox_id(), inbox_id);
  }
  EXPECT_EQ(decisions[v1::ACCEPTED], 1);
  EXPECT_EQ(decisions[v1::DUPLICATE], 299);
}

TEST_F(PipelineTest, StopAnswersWhatWasTaken) {
  store_->delay = std::chrono::milliseconds(20);
  for (uint64_t stream = 1; stream <= 200; ++stream) {
    send(stream, R"({"id":")" + std::to_string(stream) + "\"}");
  }
  pipeline_->stop();
  EXPECT_EQ(store_->count({}).value(), 200u);
  for (uint64_t stream = 1; stream <= 200; ++stream) {
    EXPECT_EQ(answers_.wait_for(stream).decision(), v1::ACCEPTED);
  }
  EXPECT_EQ(admission_->events(), 0u);
}

}  // namespace
}  // namespace webhook
