// The module's side of the wire format (proto/webhook.proto), without sockets.
//
// The body is never part of an encoded message: a frame is written as its head,
// which ends with the tag and length of Frame.body, and then the body's bytes
// from wherever they are.
#ifndef NGX_WEBHOOK_LINK_FRAME_H_
#define NGX_WEBHOOK_LINK_FRAME_H_

#include <stddef.h>
#include <stdint.h>

#include <string_view>

#include "ngx_webhook_module/verify/headers.h"
#include "ngx_webhook_module/verify/reason.h"

namespace webhook {

constexpr uint32_t kProtocolVersion = 1;
constexpr size_t kLengthSize = 4;
// No frame that the processor sends to a worker is longer.
constexpr size_t kMaxReplySize = 64 * 1024;

// What is said of an event besides its body.
struct EventHead {
  std::string_view tenant;
  std::string_view provider;
  std::string_view endpoint;
  int64_t received_at_ms = 0;
  uint64_t deadline_ns = 0;
  bool has_signed_at = false;
  int64_t signed_at_ms = 0;
  std::string_view secret_version;
  std::string_view signature_digest;
  std::string_view method;
  std::string_view target;
  std::string_view request_id;
  std::string_view spec;
  Headers headers;
  std::string_view left_out_header;  // carries the signature, so is not sent
};

// Never sent, for they carry credentials.
bool is_credential_header(std::string_view name);

// No encoded head is longer.
size_t event_head_bound(const EventHead& head);

// Writes length prefix and head; 0 when it does not fit into `capacity`.
size_t encode_event(const EventHead& head, uint64_t stream, size_t body_size, uint8_t* out,
                    size_t capacity);

// As above; 64 bytes are enough.
size_t encode_hello(uint32_t pid, uint8_t* out, size_t capacity);

// One result of an answer, or of several the first one together with the
// decision that speaks for all of them.
struct Outcome {
  Reason reason = Reason::kInternal;
  bool has_inbox_id = false;
  uint8_t inbox_id[16];
  char event_id[256];
  char event_type[256];
};

struct Reply {
  enum class Kind : uint8_t { kHello, kAnswer, kGoAway, kUnknown };
  Kind kind = Kind::kUnknown;
  uint64_t stream = 0;
  uint32_t version = 0;  // of a kHello
  Outcome outcome;       // of a kAnswer
};

// Decodes what follows a length prefix; false for what is no frame. A message
// that this version does not know is kUnknown.
bool decode_reply(const uint8_t* bytes, size_t size, Reply* reply);

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_FRAME_H_
