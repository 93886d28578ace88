#include "ngx_webhook_module/event_spec.h"

#include <pb_encode.h>

#include "proto/webhook.pb.h"

namespace webhook {
namespace {

bool encode_name(pb_ostream_t* stream, const pb_field_t* field, void* const* arg) {
  const auto* name = static_cast<const std::string_view*>(*arg);
  return pb_encode_tag_for_field(stream, field) &&
         pb_encode_string(stream, reinterpret_cast<const pb_byte_t*>(name->data()), name->size());
}

webhook_v1_Source_Kind kind_of(const Source& source) {
  return source.kind == Source::Kind::kHeader ? webhook_v1_Source_Kind_KIND_HEADER
                                              : webhook_v1_Source_Kind_KIND_JSON;
}

bool encode_parts(pb_ostream_t* stream, const pb_field_t* field, void* const* arg) {
  const auto* choice = static_cast<const Choice*>(*arg);
  for (size_t i = 0; i < choice->count; ++i) {
    webhook_v1_Source message = webhook_v1_Source_init_zero;
    message.kind = kind_of(choice->parts[i]);
    message.name.funcs.encode = encode_name;
    message.name.arg = const_cast<std::string_view*>(&choice->parts[i].name);
    if (!pb_encode_tag_for_field(stream, field) ||
        !pb_encode_submessage(stream, webhook_v1_Source_fields, &message)) {
      return false;
    }
  }
  return true;
}

webhook_v1_Join join_of(const Choice& choice) {
  switch (choice.join) {
    case Join::kNone: return webhook_v1_Join_JOIN_NONE;
    case Join::kDotted: return webhook_v1_Join_JOIN_DOTTED;
    case Join::kConcat: return webhook_v1_Join_JOIN_CONCAT;
  }
  return webhook_v1_Join_JOIN_NONE;
}

bool encode_choices(pb_ostream_t* stream, const pb_field_t* field, void* const* arg) {
  const auto* value = static_cast<const Field*>(*arg);
  for (size_t i = 0; i < value->count; ++i) {
    webhook_v1_Choice message = webhook_v1_Choice_init_zero;
    message.join = join_of(value->choices[i]);
    message.parts.funcs.encode = encode_parts;
    message.parts.arg = const_cast<Choice*>(&value->choices[i]);
    if (!pb_encode_tag_for_field(stream, field) ||
        !pb_encode_submessage(stream, webhook_v1_Choice_fields, &message)) {
      return false;
    }
  }
  return true;
}

webhook_v1_TimeUnit unit_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kNone: return webhook_v1_TimeUnit_TIME_UNIT_UNSPECIFIED;
    case TimeUnit::kSeconds: return webhook_v1_TimeUnit_TIME_UNIT_SECONDS;
    case TimeUnit::kMilliseconds: return webhook_v1_TimeUnit_TIME_UNIT_MILLISECONDS;
    case TimeUnit::kRfc3339: return webhook_v1_TimeUnit_TIME_UNIT_RFC3339;
  }
  return webhook_v1_TimeUnit_TIME_UNIT_UNSPECIFIED;
}

void fill(const Field& field, bool* has, webhook_v1_Field* message) {
  *has = field.count > 0;
  message->choices.funcs.encode = encode_choices;
  message->choices.arg = const_cast<Field*>(&field);
  message->required = field.required;
  message->outside_signature = field.outside_signature;
  message->unit = unit_of(field.unit);
}

}  // namespace

std::string_view encode_event_spec(const Provider& provider, const Arena& arena) {
  webhook_v1_EventSpec spec = webhook_v1_EventSpec_init_zero;
  fill(provider.event_id, &spec.has_event_id, &spec.event_id);
  fill(provider.event_type, &spec.has_event_type, &spec.event_type);
  fill(provider.account, &spec.has_account, &spec.account);
  fill(provider.object_id, &spec.has_object_id, &spec.object_id);
  fill(provider.object_version, &spec.has_object_version, &spec.object_version);
  fill(provider.created_at, &spec.has_created_at, &spec.created_at);
  spec.redelivery_s = static_cast<uint32_t>(provider.redelivery_s);

  size_t size = 0;
  if (!pb_get_encoded_size(&size, webhook_v1_EventSpec_fields, &spec)) return {};
  auto* bytes = static_cast<pb_byte_t*>(arena.allocate(arena.context, size));
  if (bytes == nullptr) return {};
  pb_ostream_t output = pb_ostream_from_buffer(bytes, size);
  if (!pb_encode(&output, webhook_v1_EventSpec_fields, &spec)) return {};
  return {reinterpret_cast<char*>(bytes), size};
}

}  // namespace webhook
