#include "ngx_webhook_module/link/frame.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>

#include "proto/webhook.pb.h"

namespace webhook {
namespace {

constexpr uint32_t kBodyTag = 15;

void write_length(size_t length, uint8_t* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<uint8_t>(length >> (8 * (3 - i)));
}

bool encode_text(pb_ostream_t* stream, const pb_field_t* field, void* const* arg) {
  const auto* text = static_cast<const std::string_view*>(*arg);
  if (text->empty()) return true;
  return pb_encode_tag_for_field(stream, field) &&
         pb_encode_string(stream, reinterpret_cast<const pb_byte_t*>(text->data()), text->size());
}

pb_callback_t text_field(const std::string_view& text) {
  pb_callback_t callback;
  callback.funcs.encode = encode_text;
  callback.arg = const_cast<std::string_view*>(&text);
  return callback;
}

bool encode_headers(pb_ostream_t* stream, const pb_field_t* field, void* const* arg) {
  const auto* head = static_cast<const EventHead*>(*arg);
  for (size_t i = 0; i < head->headers.count; ++i) {
    const HeaderField& header = head->headers.fields[i];
    if (is_credential_header(header.name) ||
        equal_ignoring_case(header.name, head->left_out_header)) {
      continue;
    }
    webhook_v1_Header message = webhook_v1_Header_init_zero;
    message.name = text_field(header.name);
    message.value = text_field(header.value);
    if (!pb_encode_tag_for_field(stream, field) ||
        !pb_encode_submessage(stream, webhook_v1_Header_fields, &message)) {
      return false;
    }
  }
  return true;
}

void fill_event(const EventHead& head, webhook_v1_Event* event) {
  event->tenant = text_field(head.tenant);
  event->provider = text_field(head.provider);
  event->endpoint = text_field(head.endpoint);
  event->received_at_ms = head.received_at_ms;
  event->deadline_ns = head.deadline_ns;
  event->has_signed_at_ms = head.has_signed_at;
  event->signed_at_ms = head.signed_at_ms;
  event->secret_version = text_field(head.secret_version);
  event->signature_digest = text_field(head.signature_digest);
  event->method = text_field(head.method);
  event->target = text_field(head.target);
  event->request_id = text_field(head.request_id);
  event->spec = text_field(head.spec);
  event->headers.funcs.encode = encode_headers;
  event->headers.arg = const_cast<EventHead*>(&head);
}

Decision decision_of(const Outcome& outcome) {
  return reason_decision(outcome.reason);
}

// Of several events in one body the provider gets one answer: it must send the
// body again when any of them needs it, and must not when all are durable.
int weight(Decision decision) {
  switch (decision) {
    case Decision::kUnavailable: return 3;
    case Decision::kRefused: return 2;
    case Decision::kAccepted: return 1;
    default: return 0;
  }
}

Decision decision_on_wire(webhook_v1_Decision decision) {
  switch (decision) {
    case webhook_v1_Decision_ACCEPTED: return Decision::kAccepted;
    case webhook_v1_Decision_DUPLICATE: return Decision::kDuplicate;
    case webhook_v1_Decision_IGNORED: return Decision::kIgnored;
    case webhook_v1_Decision_HELD: return Decision::kHeld;
    case webhook_v1_Decision_REFUSED: return Decision::kRefused;
    case webhook_v1_Decision_UNAVAILABLE: return Decision::kUnavailable;
    case webhook_v1_Decision_DECISION_UNSPECIFIED: break;
  }
  return Decision::kNone;
}

// A result that contradicts itself says nothing of the event: a success must
// be said twice.
Reason reason_of(const webhook_v1_Result& result) {
  const Reason reason = reason_from_number(result.reason);
  const Decision decision = decision_on_wire(result.decision);
  if (decision == Decision::kNone || decision != reason_decision(reason)) return Reason::kInternal;
  return reason;
}

void fill_outcome(const webhook_v1_Result& result, Outcome* outcome) {
  outcome->reason = reason_of(result);
  outcome->has_inbox_id = result.inbox_id.size == sizeof(outcome->inbox_id);
  memcpy(outcome->inbox_id, result.inbox_id.bytes, sizeof(outcome->inbox_id));
  memcpy(outcome->event_id, result.event_id, sizeof(outcome->event_id));
  memcpy(outcome->event_type, result.event_type, sizeof(outcome->event_type));
}

bool decode_result(pb_istream_t* stream, const pb_field_t*, void** arg) {
  auto* reply = static_cast<Reply*>(*arg);
  webhook_v1_Result result = webhook_v1_Result_init_zero;
  if (!pb_decode(stream, webhook_v1_Result_fields, &result)) return false;
  if (reply->kind != Reply::Kind::kAnswer) {
    reply->kind = Reply::Kind::kAnswer;
    fill_outcome(result, &reply->outcome);
    return true;
  }
  const Reason reason = reason_of(result);
  if (weight(reason_decision(reason)) > weight(decision_of(reply->outcome))) {
    reply->outcome.reason = reason;
  }
  return true;
}

// nanopb has just cleared the member of the oneof: its callbacks are set here.
bool prepare_message(pb_istream_t*, const pb_field_t* field, void** arg) {
  if (field->tag != webhook_v1_Frame_answer_tag) return true;
  auto* answer = static_cast<webhook_v1_Answer*>(field->pData);
  answer->results.funcs.decode = decode_result;
  answer->results.arg = *arg;
  return true;
}

Reply::Kind kind_of(const webhook_v1_Frame& frame, Reply::Kind decoded) {
  switch (frame.which_message) {
    case webhook_v1_Frame_hello_tag: return Reply::Kind::kHello;
    case webhook_v1_Frame_go_away_tag: return Reply::Kind::kGoAway;
    case webhook_v1_Frame_answer_tag: return decoded;
    default: return Reply::Kind::kUnknown;
  }
}

}  // namespace

bool is_credential_header(std::string_view name) {
  return equal_ignoring_case(name, "Authorization") ||
         equal_ignoring_case(name, "Proxy-Authorization") || equal_ignoring_case(name, "Cookie");
}

size_t event_head_bound(const EventHead& head) {
  constexpr size_t kFieldOverhead = 2 + 5;  // tag and length
  constexpr size_t kFixedFields = 256;      // numbers, and the overhead of all texts
  size_t bound = kLengthSize + kFixedFields + head.tenant.size() + head.provider.size() +
                 head.endpoint.size() + head.secret_version.size() + head.signature_digest.size() +
                 head.method.size() + head.target.size() + head.request_id.size() +
                 head.spec.size();
  for (size_t i = 0; i < head.headers.count; ++i) {
    const HeaderField& header = head.headers.fields[i];
    bound += header.name.size() + header.value.size() + 3 * kFieldOverhead;
  }
  return bound;
}

size_t encode_event(const EventHead& head, uint64_t stream, size_t body_size, uint8_t* out,
                    size_t capacity) {
  if (capacity < kLengthSize) return 0;
  webhook_v1_Frame frame = webhook_v1_Frame_init_zero;
  frame.stream = stream;
  frame.which_message = webhook_v1_Frame_event_tag;
  fill_event(head, &frame.message.event);

  pb_ostream_t output = pb_ostream_from_buffer(out + kLengthSize, capacity - kLengthSize);
  if (!pb_encode(&output, webhook_v1_Frame_fields, &frame) ||
      !pb_encode_tag(&output, PB_WT_STRING, kBodyTag) || !pb_encode_varint(&output, body_size)) {
    return 0;
  }
  write_length(output.bytes_written + body_size, out);
  return kLengthSize + output.bytes_written;
}

size_t encode_hello(uint32_t pid, uint8_t* out, size_t capacity) {
  if (capacity < kLengthSize) return 0;
  webhook_v1_Frame frame = webhook_v1_Frame_init_zero;
  frame.which_message = webhook_v1_Frame_hello_tag;
  frame.message.hello.version = kProtocolVersion;
  frame.message.hello.pid = pid;
  pb_ostream_t output = pb_ostream_from_buffer(out + kLengthSize, capacity - kLengthSize);
  if (!pb_encode(&output, webhook_v1_Frame_fields, &frame)) return 0;
  write_length(output.bytes_written, out);
  return kLengthSize + output.bytes_written;
}

bool decode_reply(const uint8_t* bytes, size_t size, Reply* reply) {
  webhook_v1_Frame frame = webhook_v1_Frame_init_zero;
  frame.cb_message.funcs.decode = prepare_message;
  frame.cb_message.arg = reply;
  reply->kind = Reply::Kind::kUnknown;
  pb_istream_t input = pb_istream_from_buffer(bytes, size);
  if (!pb_decode(&input, webhook_v1_Frame_fields, &frame)) return false;
  reply->stream = frame.stream;
  reply->kind = kind_of(frame, reply->kind);
  reply->version = reply->kind == Reply::Kind::kHello ? frame.message.hello.version : 0;
  // An answer without a result says nothing about the event.
  return frame.which_message != webhook_v1_Frame_answer_tag || reply->kind == Reply::Kind::kAnswer;
}

}  // namespace webhook
