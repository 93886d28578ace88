#ifndef WEBHOOK_PROCESSOR_LINK_FRAME_WRITER_H_
#define WEBHOOK_PROCESSOR_LINK_FRAME_WRITER_H_

#include <string>
#include <string_view>

#include "webhook.pb.h"

namespace webhook::link {

// Four bytes, big-endian, appended to `out`.
void append_length(std::string& out, size_t length);

// The length, `frame` (whose own `body` must be empty), then `body` as its
// last field, appended to `out`.
void append_frame(std::string& out, const v1::Frame& frame, std::string_view body = {});

// Field 15 of length `size`, as Frame.body and StoredPayload.body begin.
void append_body_header(std::string& out, size_t size);

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_FRAME_WRITER_H_
