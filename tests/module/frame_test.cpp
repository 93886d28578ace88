// The module's nanopb encoder against protoc's classes, which the processor uses.
#include "ngx_webhook_module/link/frame.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "webhook.pb.h"

namespace webhook {
namespace {

struct Sample {
  std::vector<HeaderField> fields = {{"Host", "example.com"}, {"authorization", "Bearer t"},
                                     {"COOKIE", "a=b"},       {"X-Signature", "abc"},
                                     {"X-Empty", ""},         {"X-GitHub-Event", "issues"}};
  EventHead head;

  Sample() {
    head.tenant = "default";
    head.provider = "github";
    head.endpoint = "main";
    head.received_at_ms = 1700000000123;
    head.deadline_ns = 1ull << 62;
    head.has_signed_at = true;
    head.signed_at_ms = -1;
    head.secret_version = "2026-11";
    head.signature_digest = std::string_view("\0\1\2", 3);
    head.method = "POST";
    head.target = "/hooks/a";
    head.request_id = "0123456789abcdef";
    head.spec = std::string_view("\x0a\x00", 2);
    head.headers = {fields.data(), fields.size()};
    head.left_out_header = "x-signature";
  }
};

size_t length_prefix(const std::string& bytes) {
  size_t length = 0;
  for (size_t i = 0; i < kLengthSize; ++i) length = length << 8 | static_cast<uint8_t>(bytes[i]);
  return length;
}

std::string encode(const EventHead& head, uint64_t stream, const std::string& body) {
  std::string frame(event_head_bound(head), '\0');
  const size_t size = encode_event(head, stream, body.size(),
                                   reinterpret_cast<uint8_t*>(frame.data()), frame.size());
  frame.resize(size);
  return frame + body;
}

TEST(EncodeEvent, ProtocReadsEveryFieldAndTheBody) {
  const Sample sample;
  const std::string bytes = encode(sample.head, 0x123456789abcdef0, "raw \xff bytes");
  ASSERT_EQ(length_prefix(bytes), bytes.size() - kLengthSize);

  v1::Frame frame;
  ASSERT_TRUE(frame.ParseFromString(bytes.substr(kLengthSize)));
  EXPECT_EQ(frame.stream(), 0x123456789abcdef0u);
  EXPECT_EQ(frame.body(), "raw \xff bytes");
  const v1::Event& event = frame.event();
  EXPECT_EQ(event.tenant(), "default");
  EXPECT_EQ(event.provider(), "github");
  EXPECT_EQ(event.endpoint(), "main");
  EXPECT_EQ(event.received_at_ms(), 1700000000123);
  EXPECT_EQ(event.deadline_ns(), 1ull << 62);
  ASSERT_TRUE(event.has_signed_at_ms());
  EXPECT_EQ(event.signed_at_ms(), -1);
  EXPECT_EQ(event.secret_version(), "2026-11");
  EXPECT_EQ(event.signature_digest(), std::string("\0\1\2", 3));
  EXPECT_EQ(event.method(), "POST");
  EXPECT_EQ(event.target(), "/hooks/a");
  EXPECT_EQ(event.request_id(), "0123456789abcdef");
  EXPECT_EQ(event.spec(), std::string("\x0a\x00", 2));
}

TEST(EncodeEvent, LeavesOutCredentialsInAnyCaseAndKeepsTheOrder) {
  const Sample sample;
  v1::Frame frame;
  ASSERT_TRUE(frame.ParseFromString(encode(sample.head, 1, "").substr(kLengthSize)));
  std::string names;
  for (const v1::Header& header : frame.event().headers()) names += header.name() + ";";
  EXPECT_EQ(names, "Host;X-Empty;X-GitHub-Event;");
}

TEST(EncodeEvent, AnUnsignedTimeIsAbsentRatherThanZero) {
  Sample sample;
  sample.head.has_signed_at = false;
  v1::Frame frame;
  ASSERT_TRUE(frame.ParseFromString(encode(sample.head, 1, "x").substr(kLengthSize)));
  EXPECT_FALSE(frame.event().has_signed_at_ms());
}

TEST(EncodeEvent, FitsItsBoundWithTheLongestHeaders) {
  std::vector<HeaderField> fields;
  const std::string value(300, 'v');
  for (int i = 0; i < 200; ++i) fields.push_back({"X-Long-Header-Name", value});
  Sample sample;
  sample.head.headers = {fields.data(), fields.size()};
  EXPECT_GT(encode(sample.head, ~0ull >> 1, std::string(1 << 20, 'b')).size(), 1u << 20);
}

TEST(EncodeEvent, SaysSoWhenThereIsNoRoom) {
  const Sample sample;
  uint8_t small[64];
  EXPECT_EQ(encode_event(sample.head, 1, 0, small, sizeof(small)), 0u);
  EXPECT_EQ(encode_event(sample.head, 1, 0, small, 2), 0u);
}

TEST(EncodeHello, CarriesVersionAndPid) {
  uint8_t bytes[64];
  const size_t size = encode_hello(4242, bytes, sizeof(bytes));
  v1::Frame frame;
  ASSERT_TRUE(frame.ParseFromArray(bytes + kLengthSize, static_cast<int>(size - kLengthSize)));
  EXPECT_EQ(frame.hello().version(), kProtocolVersion);
  EXPECT_EQ(frame.hello().pid(), 4242u);
}

bool decode(const v1::Frame& frame, Reply* reply) {
  const std::string bytes = frame.SerializeAsString();
  return decode_reply(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), reply);
}

v1::Decision decision_of(Reason reason) {
  switch (reason_decision(reason)) {
    case Decision::kAccepted: return v1::ACCEPTED;
    case Decision::kDuplicate: return v1::DUPLICATE;
    case Decision::kUnavailable: return v1::UNAVAILABLE;
    default: return v1::DECISION_UNSPECIFIED;
  }
}

v1::Result* add_result(v1::Frame* frame, Reason reason, const std::string& id) {
  v1::Result* result = frame->mutable_answer()->add_results();
  result->set_decision(decision_of(reason));
  result->set_reason(static_cast<uint32_t>(reason));
  result->set_inbox_id(std::string(16, '\x11'));
  result->set_event_id(id);
  result->set_event_type("issues.opened");
  return result;
}

TEST(DecodeReply, ReadsAnAnswer) {
  v1::Frame frame;
  frame.set_stream(77);
  add_result(&frame, Reason::kDuplicate, std::string(255, 'e'));
  Reply reply;
  ASSERT_TRUE(decode(frame, &reply));
  EXPECT_EQ(reply.kind, Reply::Kind::kAnswer);
  EXPECT_EQ(reply.stream, 77u);
  EXPECT_EQ(reply.outcome.reason, Reason::kDuplicate);
  EXPECT_TRUE(reply.outcome.has_inbox_id);
  EXPECT_EQ(reply.outcome.event_id, std::string(255, 'e'));
  EXPECT_STREQ(reply.outcome.event_type, "issues.opened");
}

TEST(DecodeReply, OfSeveralResultsTheGravestDecides) {
  v1::Frame frame;
  add_result(&frame, Reason::kDuplicate, "first");
  add_result(&frame, Reason::kStoreUnavailable, "second");
  add_result(&frame, Reason::kAccepted, "third");
  Reply reply;
  ASSERT_TRUE(decode(frame, &reply));
  EXPECT_EQ(reply.outcome.reason, Reason::kStoreUnavailable);
  EXPECT_STREQ(reply.outcome.event_id, "first");
}

TEST(DecodeReply, ANumberThatIsNoReasonIsOurFault) {
  v1::Frame frame;
  add_result(&frame, Reason::kAccepted, "a")->set_reason(9999);
  Reply reply;
  ASSERT_TRUE(decode(frame, &reply));
  EXPECT_EQ(reply.outcome.reason, Reason::kInternal);
}

TEST(DecodeReply, ASuccessThatIsNotSaidTwiceIsNone) {
  v1::Frame frame;
  v1::Result* result = add_result(&frame, Reason::kAccepted, "a");
  Reply reply;
  result->set_decision(v1::REFUSED);
  ASSERT_TRUE(decode(frame, &reply));
  EXPECT_EQ(reply.outcome.reason, Reason::kInternal);
  result->set_decision(v1::DECISION_UNSPECIFIED);
  result->set_reason(static_cast<uint32_t>(Reason::kHandshake));
  ASSERT_TRUE(decode(frame, &reply));
  EXPECT_EQ(reply.outcome.reason, Reason::kInternal);
}

TEST(DecodeReply, RefusesAnAnswerWithoutResultAndTextThatIsTooLong) {
  v1::Frame empty;
  empty.mutable_answer();
  Reply reply;
  EXPECT_FALSE(decode(empty, &reply));
  v1::Frame frame;
  add_result(&frame, Reason::kAccepted, std::string(256, 'x'));
  EXPECT_FALSE(decode(frame, &reply));
}

TEST(DecodeReply, KnowsHelloAndGoAwayAndPassesOverTheRest) {
  Reply reply;
  v1::Frame hello;
  hello.mutable_hello()->set_version(3);
  ASSERT_TRUE(decode(hello, &reply));
  EXPECT_EQ(reply.kind, Reply::Kind::kHello);
  EXPECT_EQ(reply.version, 3u);
  v1::Frame go_away;
  go_away.mutable_go_away();
  ASSERT_TRUE(decode(go_away, &reply));
  EXPECT_EQ(reply.kind, Reply::Kind::kGoAway);
  ASSERT_TRUE(decode(v1::Frame(), &reply));
  EXPECT_EQ(reply.kind, Reply::Kind::kUnknown);
}

TEST(DecodeReply, EveryCutFrameIsRefusedOrUnknown) {
  v1::Frame frame;
  frame.set_stream(5);
  add_result(&frame, Reason::kAccepted, "id");
  const std::string bytes = frame.SerializeAsString();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    Reply reply;
    const bool good =
        decode_reply(reinterpret_cast<const uint8_t*>(cut.data()), cut.size(), &reply);
    EXPECT_TRUE(!good || reply.kind == Reply::Kind::kUnknown) << size;
  }
}

}  // namespace
}  // namespace webhook
