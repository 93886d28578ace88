#ifndef WEBHOOK_PROCESSOR_LINK_FRAME_H_
#define WEBHOOK_PROCESSOR_LINK_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace webhook::link {

// The field of webhook.v1.Frame that holds the message.
enum class FrameKind : uint8_t {
  kNone = 0,
  kHello = 2,
  kEvent = 3,
  kAnswer = 4,
  kGoAway = 5,
};

// Where the parts of a frame lie in its bytes.
struct FrameLayout {
  uint64_t stream = 0;
  FrameKind kind = FrameKind::kNone;
  size_t message_at = 0;
  size_t message_size = 0;
  size_t body_at = 0;
  size_t body_size = 0;
};

// One received frame: owns the bytes as they came, and points into them.
class Frame {
 public:
  // Zero bytes that follow the body in memory, so that a SIMD parser may read
  // past its end.
  static constexpr size_t kPadding = 64;

  // `bytes` is the frame without its length, followed by kPadding zeros.
  Frame(std::string bytes, const FrameLayout& layout) : bytes_(std::move(bytes)), layout_(layout) {}

  uint64_t stream() const { return layout_.stream; }
  FrameKind kind() const { return layout_.kind; }

  // The encoded Hello, Event, Answer or GoAway.
  std::string_view message() const { return part(layout_.message_at, layout_.message_size); }
  std::string_view body() const { return part(layout_.body_at, layout_.body_size); }
  size_t size() const { return bytes_.size() - kPadding; }

 private:
  std::string_view part(size_t at, size_t size) const {
    return std::string_view(bytes_).substr(at, size);
  }

  std::string bytes_;
  FrameLayout layout_;
};

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_FRAME_H_
