#include "processor/link/frame_writer.h"

#include <cstdint>

#include "processor/link/protocol.h"

namespace webhook::link {
namespace {

constexpr uint8_t kBodyTag = 15 << 3 | 2;

}  // namespace

void append_length(std::string& out, size_t length) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(length >> shift));
  }
}

void append_body_header(std::string& out, size_t size) {
  out.push_back(static_cast<char>(kBodyTag));
  for (; size >= 0x80; size >>= 7) {
    out.push_back(static_cast<char>(size | 0x80));
  }
  out.push_back(static_cast<char>(size));
}

void append_frame(std::string& out, const v1::Frame& frame, std::string_view body) {
  std::string body_header;
  if (!body.empty()) append_body_header(body_header, body.size());
  append_length(out, frame.ByteSizeLong() + body_header.size() + body.size());
  frame.AppendToString(&out);
  out += body_header;
  out += body;
}

}  // namespace webhook::link
