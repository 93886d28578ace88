#include "processor/accept/envelope.h"

#include <strings.h>

#include <vector>

#include "ngx_webhook_module/verify/text.h"
#include "processor/accept/timestamp.h"

namespace webhook {
namespace {

// Finds the values of sources in one event.
class Sources {
 public:
  Sources(const v1::Event& event, const std::vector<std::optional<std::string>>& json_values)
      : event_(event), json_values_(json_values) {}

  // Empty when missing.
  std::string_view value(const EventSpec::Source& source) const {
    if (!source.header.empty()) return header(source.header);
    const auto& value = json_values_[source.pointer];
    return value ? std::string_view(*value) : std::string_view();
  }

 private:
  std::string_view header(const std::string& name) const {
    for (const v1::Header& header : event_.headers()) {
      if (strcasecmp(header.name().c_str(), name.c_str()) == 0) {
        return header.value();
      }
    }
    return {};
  }

  const v1::Event& event_;
  const std::vector<std::optional<std::string>>& json_values_;
};

std::string join_dotted(const EventSpec::Choice& choice, const Sources& sources) {
  std::string joined;
  for (const EventSpec::Source& part : choice.parts) {
    const std::string_view value = sources.value(part);
    if (value.empty()) continue;
    if (!joined.empty()) joined += '.';
    joined += value;
  }
  return joined;
}

// Lengths keep ("ab", "c") and ("a", "bc") apart.
std::string join_concat(const EventSpec::Choice& choice, const Sources& sources) {
  std::string joined;
  for (const EventSpec::Source& part : choice.parts) {
    const std::string_view value = sources.value(part);
    if (value.empty()) return {};
    joined += std::to_string(value.size());
    joined += ':';
    joined += value;
  }
  return joined;
}

std::string choice_value(const EventSpec::Choice& choice, const Sources& sources) {
  switch (choice.join) {
    case v1::JOIN_DOTTED: return join_dotted(choice, sources);
    case v1::JOIN_CONCAT: return join_concat(choice, sources);
    default: return std::string(sources.value(choice.parts.front()));
  }
}

std::string field_value(const EventSpec::Field& field, const Sources& sources) {
  for (const EventSpec::Choice& choice : field.choices) {
    std::string value = choice_value(choice, sources);
    if (!value.empty()) return value;
  }
  return {};
}

// Reads fields until one is a reason to refuse.
class EnvelopeReader {
 public:
  EnvelopeReader(const EventSpec& spec, const Sources& sources) : spec_(spec), sources_(sources) {}

  tl::expected<Envelope, Reason> read() {
    take(spec_.event_id, true, Reason::kEventIdMissing, envelope_.event_id);
    take_optional(spec_.event_type, envelope_.event_type);
    take_optional(spec_.account, envelope_.account);
    take_optional(spec_.object_id, envelope_.object_id);
    take_optional(spec_.object_version, envelope_.object_version);
    std::string created_at;
    take_optional(spec_.created_at, created_at);
    envelope_.created_at_ms = parse_timestamp(created_at, spec_.created_at.unit);
    if (refusal_ != Reason::kNone) return tl::make_unexpected(refusal_);
    return std::move(envelope_);
  }

 private:
  void take_optional(const EventSpec::Field& field, std::string& value) {
    take(field, field.required, Reason::kFieldMissing, value);
  }

  // The first refusal stands.
  void take(const EventSpec::Field& field, bool required, Reason missing, std::string& value) {
    if (refusal_ != Reason::kNone) return;
    value = field_value(field, sources_);
    if (value.empty()) {
      if (required) refusal_ = missing;
    } else if (!is_valid_field(value)) {
      refusal_ = Reason::kFieldInvalid;
    }
  }

  const EventSpec& spec_;
  const Sources& sources_;
  Envelope envelope_;
  Reason refusal_ = Reason::kNone;
};

}  // namespace

bool is_valid_field(std::string_view text) {
  return text.size() <= kMaxFieldBytes && text.find('\0') == text.npos && is_valid_utf8(text);
}

tl::expected<Envelope, Reason> read_envelope(const EventSpec& spec, const v1::Event& event,
                                             std::string_view body, JsonFields& json) {
  std::vector<std::optional<std::string>> values;
  if (!spec.pointers.empty()) {
    auto read = json.read(body, spec.pointers);
    if (!read) return tl::make_unexpected(Reason::kBodyMalformed);
    values = std::move(*read);
  }
  const Sources sources(event, values);
  return EnvelopeReader(spec, sources).read();
}

}  // namespace webhook
