// The bytes that a provider signs, as a template: "{ts}.{body}".
#ifndef WEBHOOK_VERIFY_SIGNED_TEMPLATE_H_
#define WEBHOOK_VERIFY_SIGNED_TEMPLATE_H_

#include <sys/uio.h>

#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/headers.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// A body in pieces, in order. Not copied.
struct Body {
  const iovec* pieces = nullptr;
  size_t count = 0;

  size_t size() const {
    size_t total = 0;
    for (size_t i = 0; i < count; ++i) total += pieces[i].iov_len;
    return total;
  }
};

// Literals and {body}, {ts}, {header:NAME}; {body} exactly once. The views
// point into `text`.
bool parse_template(std::string_view text, SignedTemplate* signed_bytes, ConfigError* error);

// True when the template holds such a part (`text`: the name of a header).
bool has_part(const SignedTemplate& signed_bytes, TemplatePart::Kind kind, std::string_view text);

// The digest under `key`; false when OpenSSL fails. `timestamp` is the text as
// received.
bool digest(const SignedTemplate& signed_bytes, std::string_view timestamp, Headers headers,
            const Body& body, MacKey* key, uint8_t out[kMaxMacSize]);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_SIGNED_TEMPLATE_H_
