#include "processor/accept/event_spec.h"

#include <utility>

namespace webhook {
namespace {

class SpecDecoder {
 public:
  std::optional<EventSpec> decode(std::string_view bytes) {
    v1::EventSpec wire;
    if (!wire.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
        !take_field(wire.event_id(), spec_.event_id) ||
        !take_field(wire.event_type(), spec_.event_type) ||
        !take_field(wire.account(), spec_.account) ||
        !take_field(wire.object_id(), spec_.object_id) ||
        !take_field(wire.object_version(), spec_.object_version) ||
        !take_field(wire.created_at(), spec_.created_at)) {
      return std::nullopt;
    }
    spec_.id_outside_signature = wire.event_id().outside_signature();
    spec_.redelivery_ms = int64_t{wire.redelivery_s()} * 1000;
    return std::move(spec_);
  }

 private:
  bool take_field(const v1::Field& wire, EventSpec::Field& field) {
    field.required = wire.required();
    field.unit = wire.unit();
    for (const v1::Choice& choice : wire.choices()) {
      if (!v1::Join_IsValid(choice.join())) return false;
      if (choice.join() == v1::JOIN_NONE && choice.parts_size() != 1) {
        return false;
      }
      EventSpec::Choice& taken = field.choices.emplace_back();
      taken.join = choice.join();
      for (const v1::Source& part : choice.parts()) {
        if (!take_source(part, taken.parts.emplace_back())) return false;
      }
    }
    return true;
  }

  bool take_source(const v1::Source& wire, EventSpec::Source& source) {
    if (wire.kind() == v1::Source::KIND_HEADER) {
      source.header = wire.name();
      return !source.header.empty();
    }
    if (wire.kind() != v1::Source::KIND_JSON) return false;
    auto pointer = parse_json_pointer(wire.name());
    if (!pointer) return false;
    source.pointer = spec_.pointers.size();
    spec_.pointers.push_back(std::move(*pointer));
    return true;
  }

  EventSpec spec_;
};

}  // namespace

std::optional<EventSpec> decode_event_spec(std::string_view bytes) {
  return SpecDecoder().decode(bytes);
}

std::shared_ptr<const EventSpec> EventSpecCache::get(const std::string& bytes) {
  if (bytes.size() > kMaxSpecBytes) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = specs_.find(bytes);
  if (found != specs_.end()) return found->second;

  std::shared_ptr<const EventSpec> spec;
  if (auto decoded = decode_event_spec(bytes)) {
    spec = std::make_shared<const EventSpec>(std::move(*decoded));
  }
  // Never full in practice; which one goes does not matter.
  if (specs_.size() >= kMaxSpecs) specs_.erase(specs_.begin());
  specs_.emplace(bytes, spec);
  return spec;
}

}  // namespace webhook
