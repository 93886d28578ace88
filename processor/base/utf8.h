#ifndef WEBHOOK_PROCESSOR_BASE_UTF8_H_
#define WEBHOOK_PROCESSOR_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace webhook {

// Bytes of the well-formed sequence (RFC 3629) that `text` starts with; 0 when
// it starts with none.
size_t utf8_sequence_length(std::string_view text);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_UTF8_H_
