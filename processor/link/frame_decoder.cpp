#include "processor/link/frame_decoder.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>

namespace webhook::link {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// A peer can announce any length: room is made for it only as bytes arrive.
constexpr size_t kFirstReserve = size_t{256} << 10;

constexpr int kStreamField = 1;
constexpr int kBodyField = 15;

bool is_message_field(int field) {
  return field >= static_cast<int>(FrameKind::kHello) &&
         field <= static_cast<int>(FrameKind::kGoAway);
}

// Reads the outermost fields of one frame.
class LayoutReader {
 public:
  explicit LayoutReader(std::string_view frame)
      : input_(reinterpret_cast<const uint8_t*>(frame.data()), static_cast<int>(frame.size())),
        frame_size_(frame.size()) {}

  tl::expected<FrameLayout, FrameError> read() {
    while (position() < frame_size_) {
      const uint32_t tag = input_.ReadTag();
      if (auto field = read_field(tag); !field) {
        return tl::make_unexpected(field.error());
      }
    }
    if (layout_.kind == FrameKind::kNone) return error(FrameError::kNoMessage);
    if (has_body_ && layout_.kind != FrameKind::kEvent) {
      return error(FrameError::kBodyNotLast);
    }
    return layout_;
  }

 private:
  using FieldResult = tl::expected<void, FrameError>;

  static tl::unexpected<FrameError> error(FrameError error) { return tl::make_unexpected(error); }

  size_t position() const { return static_cast<size_t>(input_.CurrentPosition()); }

  FieldResult read_field(uint32_t tag) {
    if (tag == 0) return error(FrameError::kMalformed);
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    if (field == kStreamField) return read_stream(tag);
    if (field == kBodyField) return read_body(tag);
    if (is_message_field(field)) return read_message(tag, field);
    // A field of a later minor revision.
    if (!WireFormatLite::SkipField(&input_, tag)) {
      return error(FrameError::kMalformed);
    }
    return {};
  }

  FieldResult read_stream(uint32_t tag) {
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_VARINT ||
        !input_.ReadVarint64(&layout_.stream)) {
      return error(FrameError::kMalformed);
    }
    return {};
  }

  FieldResult read_message(uint32_t tag, int field) {
    if (layout_.kind != FrameKind::kNone) return error(FrameError::kNoMessage);
    layout_.kind = static_cast<FrameKind>(field);
    return read_bytes(tag, layout_.message_at, layout_.message_size);
  }

  FieldResult read_body(uint32_t tag) {
    has_body_ = true;
    auto bytes = read_bytes(tag, layout_.body_at, layout_.body_size);
    if (bytes && position() != frame_size_) {
      return error(FrameError::kBodyNotLast);
    }
    return bytes;
  }

  FieldResult read_bytes(uint32_t tag, size_t& at, size_t& size) {
    uint32_t length = 0;
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED ||
        !input_.ReadVarint32(&length) || length > frame_size_ - position()) {
      return error(FrameError::kMalformed);
    }
    at = position();
    size = length;
    input_.Skip(static_cast<int>(length));
    return {};
  }

  CodedInputStream input_;
  const size_t frame_size_;
  FrameLayout layout_;
  bool has_body_ = false;
};

}  // namespace

const char* frame_error_text(FrameError error) {
  switch (error) {
    case FrameError::kTooLarge: return "frame too large";
    case FrameError::kMalformed: return "malformed frame";
    case FrameError::kNoMessage: return "frame without exactly one message";
    case FrameError::kBodyNotLast: return "body not last in an event's frame";
  }
  return "";
}

FrameDecoder::FrameDecoder(size_t max_frame_bytes)
    : max_frame_bytes_(std::min(max_frame_bytes, kMaxFrameBytes)) {
  length_.reserve(kLengthBytes);
}

tl::expected<void, FrameError> FrameDecoder::feed(std::string_view bytes,
                                                  std::vector<Frame>& frames) {
  while (!bytes.empty()) {
    if (length_.size() < kLengthBytes) {
      if (auto taken = take_length(bytes); !taken) return taken;
      if (length_.size() < kLengthBytes) return {};
    }
    take_content(bytes);
    if (content_.size() < expected_) return {};
    auto frame = finish();
    if (!frame) return tl::make_unexpected(frame.error());
    frames.push_back(std::move(*frame));
  }
  return {};
}

tl::expected<void, FrameError> FrameDecoder::take_length(std::string_view& bytes) {
  const size_t taken = std::min(kLengthBytes - length_.size(), bytes.size());
  length_.append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
  if (length_.size() < kLengthBytes) return {};

  expected_ = 0;
  for (const char c : length_) {
    expected_ = (expected_ << 8) | static_cast<uint8_t>(c);
  }
  if (expected_ > max_frame_bytes_) {
    return tl::make_unexpected(FrameError::kTooLarge);
  }
  if (expected_ == 0) return tl::make_unexpected(FrameError::kNoMessage);
  content_.reserve(std::min(expected_ + Frame::kPadding, kFirstReserve));
  return {};
}

void FrameDecoder::take_content(std::string_view& bytes) {
  const size_t taken = std::min(expected_ - content_.size(), bytes.size());
  content_.append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
}

tl::expected<Frame, FrameError> FrameDecoder::finish() {
  const auto layout = LayoutReader(content_).read();
  if (!layout) return tl::make_unexpected(layout.error());
  content_.append(Frame::kPadding, '\0');
  Frame frame(std::move(content_), *layout);
  content_ = std::string();
  length_.clear();
  return frame;
}

}  // namespace webhook::link
