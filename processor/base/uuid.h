#ifndef WEBHOOK_PROCESSOR_BASE_UUID_H_
#define WEBHOOK_PROCESSOR_BASE_UUID_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace webhook {

using Uuid = std::array<uint8_t, 16>;

// A UUIDv7 (RFC 9562): sorts by `unix_ms`, the rest is random.
Uuid make_uuid7(int64_t unix_ms);

// "018f4e3a-....", lower case.
std::string uuid_text(const Uuid& id);

// The inverse; nothing for any other form. Upper case is accepted.
std::optional<Uuid> parse_uuid(std::string_view text);

inline std::string_view as_bytes(const Uuid& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_UUID_H_
