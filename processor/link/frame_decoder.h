#ifndef WEBHOOK_PROCESSOR_LINK_FRAME_DECODER_H_
#define WEBHOOK_PROCESSOR_LINK_FRAME_DECODER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "processor/link/frame.h"
#include "processor/link/protocol.h"

namespace webhook::link {

enum class FrameError {
  kTooLarge,     // longer than the decoder's bound
  kMalformed,    // not the encoding of a frame
  kNoMessage,    // a frame that holds none of the messages, or two of them
  kBodyNotLast,  // something follows the body, or it belongs to no event
};

// A few words for the log.
const char* frame_error_text(FrameError error);

// Bytes in, frames out, wherever the bytes are split. Pure: no I/O, no clock.
// Only the outermost fields are read; the messages stay encoded, and the body
// is copied once, into its frame.
class FrameDecoder {
 public:
  explicit FrameDecoder(size_t max_frame_bytes);

  // Takes all of `bytes` and appends the frames that they complete. Holds at
  // most one unfinished frame, and no more memory for it than a small multiple
  // of the bytes that came. After an error nothing more may be fed.
  tl::expected<void, FrameError> feed(std::string_view bytes, std::vector<Frame>& frames);

 private:
  tl::expected<void, FrameError> take_length(std::string_view& bytes);
  void take_content(std::string_view& bytes);
  tl::expected<Frame, FrameError> finish();

  const size_t max_frame_bytes_;
  std::string length_;   // of the next frame, as far as it came
  std::string content_;  // of the current frame, as far as it came
  size_t expected_ = 0;
};

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_FRAME_DECODER_H_
