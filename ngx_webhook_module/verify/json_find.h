// Scalars of a JSON text at JSON pointers (RFC 6901).
#ifndef WEBHOOK_VERIFY_JSON_FIND_H_
#define WEBHOOK_VERIFY_JSON_FIND_H_

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

struct JsonValue {
  bool present = false;
  std::string_view text;
};

constexpr size_t kMaxJsonPointers = 24;

// Strings come unescaped, numbers and booleans as written; null, objects and
// arrays count as missing. Of members with the same name the first one counts.
// What comes of a "\ud800" without its other half is not defined. One pass;
// nesting of at most 512. `pointers` are those that parse_source() accepts.
// False when the body is not one JSON text in UTF-8, when there is no memory,
// or for more than kMaxJsonPointers.
bool json_find(const Body& body, const std::string_view* pointers, size_t count, const Arena& arena,
               JsonValue* values);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_JSON_FIND_H_
