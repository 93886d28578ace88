#ifndef WEBHOOK_PROCESSOR_LINK_PROTOCOL_H_
#define WEBHOOK_PROCESSOR_LINK_PROTOCOL_H_

#include <cstddef>
#include <cstdint>

namespace webhook::link {

// Hello.version of this build. An end of another version is not spoken with.
constexpr uint32_t kProtocolVersion = 1;

// Big-endian length before every frame.
constexpr size_t kLengthBytes = 4;

// No frame is larger, whatever the configuration says.
constexpr size_t kMaxFrameBytes = size_t{64} << 20;

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_PROTOCOL_H_
