#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <asio/post.hpp>
#include <future>
#include <mutex>
#include <thread>

#include "link_client.h"
#include "processor/base/unix_socket.h"
#include "processor/link/server.h"
#include "test_support.h"

namespace webhook::link {
namespace {

using testing::LinkClient;

// Answers at once, or holds requests until it is told to.
class Sink : public Handler {
 public:
  void on_event(Request request) override {
    const std::lock_guard lock(mutex_);
    ++events_;
    held_.push_back(std::move(request));
    if (!holding_) answer_held();
  }
  void on_turned_away(Reason reason) override { turned_away_ = reason; }

  void hold() {
    const std::lock_guard lock(mutex_);
    holding_ = true;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    answer_held();
  }
  int events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  Replier* replier = nullptr;
  std::atomic<Reason> turned_away_ = Reason::kNone;

 private:
  void answer_held() {
    std::vector<Reply> replies;
    for (Request& request : held_) {
      v1::Answer answer = make_answer(Reason::kAccepted);
      answer.mutable_results(0)->set_event_id(std::to_string(request.frame.body().size()));
      replies.push_back({request.address, std::move(request.permit), std::move(answer)});
    }
    held_.clear();
    replier->reply(std::move(replies));
  }

  std::mutex mutex_;
  bool holding_ = false;
  int events_ = 0;
  std::vector<Request> held_;
};

class LinkServerTest : public ::testing::Test {
 protected:
  void start(size_t max_events = 1000, size_t max_bytes = 1 << 20,
             std::vector<uid_t> allow_uids = {}) {
    ServerOptions options;
    options.path = path_;
    options.max_events = max_events;
    options.max_bytes = max_bytes;
    options.allow_uids = std::move(allow_uids);
    options.drain_timeout = std::chrono::milliseconds(700);
    server_ = std::make_unique<Server>(io_, options);
    sink_.replier = server_.get();
    const auto listening = server_->listen(sink_);
    ASSERT_TRUE(listening) << listening.error().message;
    thread_ = std::thread([this] { io_.run(); });
  }

  void drain() {
    asio::post(io_, [this] { server_->drain([this] { drained_.set_value(); }); });
  }

  bool is_drained(int wait_ms) {
    return drained_.get_future().wait_for(std::chrono::milliseconds(wait_ms)) ==
           std::future_status::ready;
  }

  void TearDown() override {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  std::string event(uint64_t stream, std::string_view body = "{}") {
    v1::Frame frame;
    frame.set_stream(stream);
    frame.mutable_event()->set_tenant("t");
    std::string out;
    append_frame(out, frame, body);
    return out;
  }

  LinkClient greeted() {
    LinkClient client(path_);
    EXPECT_TRUE(client.connected());
    client.hello();
    const auto hello = client.receive();
    EXPECT_TRUE(hello && hello->kind() == FrameKind::kHello);
    return client;
  }

  void wait_for_events(int count) {
    for (int i = 0; i < 1000 && sink_.events() < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(sink_.events(), count);
  }

  testing::TempDir dir_;
  std::string path_ = dir_.file("link.sock");
  asio::io_context io_;
  Sink sink_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
  std::promise<void> drained_;
};

TEST_F(LinkServerTest, AnswersManyPipelinedStreams) {
  start();
  LinkClient client = greeted();
  std::string all;
  for (uint64_t stream = 1; stream <= 500; ++stream) all += event(stream, std::string(stream, 'x'));
  client.send(all);
  std::vector<bool> seen(501);
  for (int i = 0; i < 500; ++i) {
    uint64_t stream = 0;
    const v1::Result result = client.answer(&stream);
    ASSERT_EQ(result.decision(), v1::ACCEPTED);
    ASSERT_LE(stream, 500u);
    EXPECT_FALSE(seen[stream]);
    EXPECT_EQ(result.event_id(), std::to_string(stream));
    seen[stream] = true;
  }
}

TEST_F(LinkServerTest, TakesFramesByteByByteAndTwoWorkersAtOnce) {
  start();
  LinkClient slow = greeted();
  LinkClient quick = greeted();
  const std::string bytes = event(5, "body");
  for (size_t i = 0; i < bytes.size(); ++i) {
    slow.send(bytes.substr(i, 1));
    if (i != bytes.size() / 2) continue;
    quick.send(event(6));
    uint64_t stream = 0;
    quick.answer(&stream);
    EXPECT_EQ(stream, 6u);
  }
  uint64_t stream = 0;
  slow.answer(&stream);
  EXPECT_EQ(stream, 5u);
}

TEST_F(LinkServerTest, ClosesOnAnotherVersionOrGarbage) {
  start();
  LinkClient other(path_);
  other.hello(kProtocolVersion + 1);
  other.receive();  // our hello
  EXPECT_FALSE(other.receive());

  LinkClient rude(path_);
  rude.send(event(1));
  rude.receive();
  EXPECT_FALSE(rude.receive()) << "an event before hello";

  LinkClient garbage = greeted();
  garbage.send(std::string("\0\0\0\3\xff\xff\xff", 7));
  EXPECT_FALSE(garbage.receive());
  EXPECT_EQ(sink_.events(), 0);
}

TEST_F(LinkServerTest, TurnsAwayPastTheCountAndRecovers) {
  start(2);
  sink_.hold();
  LinkClient client = greeted();
  client.send(event(1) + event(2) + event(3));
  uint64_t stream = 0;
  const v1::Result full = client.answer(&stream);
  EXPECT_EQ(stream, 3u);
  EXPECT_EQ(full.decision(), v1::UNAVAILABLE);
  EXPECT_EQ(full.reason(), static_cast<uint32_t>(Reason::kProcessorFull));
  EXPECT_EQ(sink_.turned_away_, Reason::kProcessorFull);
  EXPECT_EQ(server_->in_flight().events(), 2u);
  sink_.let_go();
  EXPECT_EQ(client.answer().decision(), v1::ACCEPTED);
  EXPECT_EQ(client.answer().decision(), v1::ACCEPTED);
  client.send(event(4));
  EXPECT_EQ(client.answer(&stream).decision(), v1::ACCEPTED);
  EXPECT_EQ(stream, 4u);
}

TEST_F(LinkServerTest, TurnsAwayPastTheBytes) {
  start(1000, 100'000);
  sink_.hold();
  LinkClient client = greeted();
  client.send(event(1, std::string(60'000, 'x')) + event(2, std::string(60'000, 'x')) + event(3));
  uint64_t stream = 0;
  EXPECT_EQ(client.answer(&stream).reason(), static_cast<uint32_t>(Reason::kProcessorFull));
  EXPECT_EQ(stream, 2u);
  wait_for_events(2);
}

TEST_F(LinkServerTest, AnAnswerToALostSessionFreesItsPlace) {
  start(1);
  sink_.hold();
  {
    LinkClient client = greeted();
    client.send(event(1));
    wait_for_events(1);
  }
  sink_.let_go();
  for (int i = 0; i < 1000 && server_->in_flight().events() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(server_->in_flight().events(), 0u);
  EXPECT_EQ(server_->in_flight().bytes(), 0u);
}

TEST_F(LinkServerTest, DrainsWhatIsOpenAndWhatStillComes) {
  start();
  sink_.hold();
  LinkClient client = greeted();
  client.send(event(1));
  wait_for_events(1);
  drain();
  const auto go_away = client.receive();
  ASSERT_TRUE(go_away);
  EXPECT_EQ(go_away->kind(), FrameKind::kGoAway);
  EXPECT_FALSE(LinkClient(path_).connected()) << "no new connections";
  client.send(event(2));  // was on its way
  wait_for_events(2);
  sink_.let_go();
  EXPECT_EQ(client.answer().decision(), v1::ACCEPTED);
  EXPECT_EQ(client.answer().decision(), v1::ACCEPTED);
  EXPECT_FALSE(client.receive()) << "closed when idle";
  EXPECT_TRUE(is_drained(2000));
}

TEST_F(LinkServerTest, PastTheDrainTimeoutNothingNewIsTaken) {
  start();
  sink_.hold();
  LinkClient client = greeted();
  client.send(event(1));
  wait_for_events(1);
  drain();
  client.receive();  // GoAway
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  client.send(event(2));
  uint64_t stream = 0;
  EXPECT_EQ(client.answer(&stream).reason(), static_cast<uint32_t>(Reason::kProcessorStopping));
  EXPECT_EQ(stream, 2u);
  sink_.let_go();
  EXPECT_EQ(client.answer(&stream).decision(), v1::ACCEPTED);
  EXPECT_EQ(stream, 1u);
  EXPECT_TRUE(is_drained(2000));
}

TEST_F(LinkServerTest, DrainsAtOnceWhenNobodyIsThere) {
  start();
  drain();
  EXPECT_TRUE(is_drained(1000));
  EXPECT_NE(access(path_.c_str(), F_OK), 0);
}

TEST_F(LinkServerTest, OnlyAllowedUidsGetASession) {
  start(10, 1 << 20, {getuid() + 1});
  LinkClient client(path_);
  EXPECT_FALSE(client.receive());
}

TEST_F(LinkServerTest, TheSocketIsNotForOthersAndALiveOneIsNotTaken) {
  start();
  struct stat info {};
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0660u);
  const auto second = listen_unix(path_, 0660);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("in use"), std::string::npos);
}

TEST(ListenUnix, ReplacesAStaleSocketButNoOtherFile) {
  testing::TempDir dir;
  const std::string path = dir.file("s");
  ASSERT_TRUE(listen_unix(path, 0600));  // closed at once, the file stays
  EXPECT_TRUE(listen_unix(path, 0600));
  fclose(fopen(dir.file("f").c_str(), "w"));
  EXPECT_FALSE(listen_unix(dir.file("f"), 0600));
  EXPECT_FALSE(listen_unix(dir.file(std::string(200, 'x')), 0600));
}

}  // namespace
}  // namespace webhook::link
