// The inverse of decode() in ngx_webhook_module/verify/encoding.h.
#ifndef WEBHOOK_WEBHOOKCTL_ENCODE_H_
#define WEBHOOK_WEBHOOKCTL_ENCODE_H_

#include <cstdint>
#include <span>
#include <string>

#include "ngx_webhook_module/verify/encoding.h"

namespace webhook {

// Hex in lower case; base64 with padding, base64url without.
std::string encode(Encoding encoding, std::span<const uint8_t> bytes);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_ENCODE_H_
