// Strict decoders: the whole text or nothing, no white space.
#ifndef WEBHOOK_VERIFY_ENCODING_H_
#define WEBHOOK_VERIFY_ENCODING_H_

#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace webhook {

enum class Encoding : uint8_t { kHex, kBase64, kBase64Url };

// Writes the decoded bytes and returns true; false for text that is not of the
// encoding or does not fit. Hex: either case. Base64 (RFC 4648): padding may be
// left off whole, unused bits must be zero, so that one value has one text but
// for the padding.
bool decode(Encoding encoding, std::string_view text, uint8_t* out, size_t capacity, size_t* size);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_ENCODING_H_
