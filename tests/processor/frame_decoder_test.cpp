#include "processor/link/frame_decoder.h"

#include <gtest/gtest.h>

#include <random>

#include "processor/link/frame_writer.h"

namespace webhook::link {
namespace {

std::string with_length(const std::string& content) {
  std::string out;
  append_length(out, content.size());
  return out + content;
}

std::string event_frame(uint64_t stream, std::string_view body) {
  v1::Frame frame;
  frame.set_stream(stream);
  frame.mutable_event()->set_tenant("acme");
  std::string out;
  append_frame(out, frame, body);
  return out;
}

std::string hello_frame() {
  v1::Frame frame;
  frame.mutable_hello()->set_version(1);
  std::string out;
  append_frame(out, frame);
  return out;
}

// What a decoder makes of `bytes` when it gets them in pieces.
tl::expected<std::vector<Frame>, FrameError> decode(const std::string& bytes, size_t piece,
                                                    size_t max = 1 << 20) {
  FrameDecoder decoder(max);
  std::vector<Frame> frames;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    const auto fed = decoder.feed(std::string_view(bytes).substr(at, piece), frames);
    if (!fed) return tl::make_unexpected(fed.error());
  }
  return frames;
}

TEST(FrameDecoder, GivesTheSameFramesWhereverBytesAreSplit) {
  const std::string bytes =
      hello_frame() + event_frame(7, "body") + event_frame(8, "") + event_frame(1u << 31, "x");
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    const auto frames = decode(bytes, piece);
    ASSERT_TRUE(frames) << piece;
    ASSERT_EQ(frames->size(), 4u) << piece;
    EXPECT_EQ((*frames)[0].kind(), FrameKind::kHello);
    EXPECT_EQ((*frames)[1].stream(), 7u);
    EXPECT_EQ((*frames)[1].body(), "body");
    EXPECT_EQ((*frames)[2].body(), "");
    EXPECT_EQ((*frames)[3].stream(), 1u << 31);
    v1::Event event;
    ASSERT_TRUE(event.ParseFromString(std::string((*frames)[3].message())));
    EXPECT_EQ(event.tenant(), "acme");
  }
}

TEST(FrameDecoder, KeepsALargeBodyByteForByteAndPadsIt) {
  std::string body(300'000, '\0');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 31);
  const auto frames = decode(event_frame(1, body), 4096);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 1u);
  const Frame& frame = frames->front();
  EXPECT_EQ(frame.body(), body);
  for (size_t i = 0; i < Frame::kPadding; ++i) {
    EXPECT_EQ(frame.body().data()[body.size() + i], '\0');
  }
}

TEST(FrameDecoder, ReadsWhatProtobufItselfWrites) {
  v1::Frame frame;
  frame.set_stream(3);
  frame.mutable_event()->set_tenant("acme");
  frame.set_body("hello");
  const auto frames = decode(with_length(frame.SerializeAsString()), 3);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->front().body(), "hello");
}

TEST(FrameDecoder, RefusesAFrameOverTheBoundByItsLengthAlone) {
  std::string length;
  append_length(length, 1001);
  EXPECT_EQ(decode(length, 4, 1000).error(), FrameError::kTooLarge);
  append_length(length = "", 1000);
  EXPECT_TRUE(decode(length, 4, 1000));
  EXPECT_EQ(decode("\xff\xff\xff\xff", 1, ~size_t{0}).error(), FrameError::kTooLarge);
}

TEST(FrameDecoder, RefusesWhatIsNoFrame) {
  EXPECT_EQ(decode(with_length(""), 1).error(), FrameError::kNoMessage);
  EXPECT_EQ(decode(with_length("\x08\x01"), 1).error(), FrameError::kNoMessage);
  EXPECT_EQ(decode(with_length("\xff\xff\xff"), 1).error(), FrameError::kMalformed);
  // An event that is longer than its frame.
  EXPECT_EQ(decode(with_length("\x1a\x05x"), 1).error(), FrameError::kMalformed);
  // `stream` as bytes.
  EXPECT_EQ(decode(with_length("\x0a\x01x"), 1).error(), FrameError::kMalformed);
  // Two messages.
  EXPECT_EQ(decode(with_length(std::string("\x12\x00\x1a\x00", 4)), 1).error(),
            FrameError::kNoMessage);
}

TEST(FrameDecoder, RefusesABodyThatIsNotLastOrNoEvents) {
  const std::string event("\x1a\x00", 2);
  const std::string body("\x7a\x01x", 3);
  EXPECT_TRUE(decode(with_length(event + body), 1));
  EXPECT_EQ(decode(with_length(body + event), 1).error(), FrameError::kBodyNotLast);
  EXPECT_EQ(decode(with_length(event + body + body), 1).error(), FrameError::kBodyNotLast);
  const std::string hello("\x12\x00", 2);
  EXPECT_EQ(decode(with_length(hello + body), 1).error(), FrameError::kBodyNotLast);
}

TEST(FrameDecoder, SkipsFieldsItDoesNotKnow) {
  const std::string unknown("\x50\x05", 2);  // field 10, varint
  const auto frames = decode(with_length(unknown + std::string("\x1a\x00", 2)), 1);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->front().kind(), FrameKind::kEvent);
}

TEST(FrameDecoder, SurvivesAnyBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string content(random() % 40, '\0');
    for (char& c : content) c = static_cast<char>(random() % 4 ? random() % 128 : random());
    const auto frames = decode(with_length(content), 1 + random() % 8);
    if (!frames) continue;
    for (const Frame& frame : *frames) EXPECT_LE(frame.body().size(), content.size());
  }
}

}  // namespace
}  // namespace webhook::link
