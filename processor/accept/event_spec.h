#ifndef WEBHOOK_PROCESSOR_ACCEPT_EVENT_SPEC_H_
#define WEBHOOK_PROCESSOR_ACCEPT_EVENT_SPEC_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "processor/accept/json_fields.h"
#include "webhook.pb.h"

namespace webhook {

// v1::EventSpec, checked and made ready for use.
struct EventSpec {
  struct Source {
    std::string header;  // its name; empty for a JSON source
    size_t pointer = 0;  // index into `pointers` of a JSON source
  };
  struct Choice {
    v1::Join join = v1::JOIN_NONE;
    std::vector<Source> parts;
  };
  struct Field {
    std::vector<Choice> choices;
    bool required = false;
    v1::TimeUnit unit = v1::TIME_UNIT_UNSPECIFIED;
  };

  Field event_id;
  Field event_type;
  Field account;
  Field object_id;
  Field object_version;
  Field created_at;
  bool id_outside_signature = false;
  int64_t redelivery_ms = 0;
  std::vector<JsonPointer> pointers;  // empty: the body is not parsed
};

// Nothing when the bytes are no spec, or one that this build cannot follow.
std::optional<EventSpec> decode_event_spec(std::string_view bytes);

// Decodes each distinct spec once. Thread-safe.
class EventSpecCache {
 public:
  // There are as many specs as providers are configured, over all reloads.
  static constexpr size_t kMaxSpecs = 1024;
  static constexpr size_t kMaxSpecBytes = size_t{64} << 10;

  // Null where decode_event_spec() gives nothing.
  std::shared_ptr<const EventSpec> get(const std::string& bytes);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const EventSpec>> specs_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_EVENT_SPEC_H_
