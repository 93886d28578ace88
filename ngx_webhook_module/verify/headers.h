// The header fields of one request, as views into memory of the caller.
#ifndef WEBHOOK_VERIFY_HEADERS_H_
#define WEBHOOK_VERIFY_HEADERS_H_

#include <stddef.h>

#include <string_view>

#include "ngx_webhook_module/verify/text.h"

namespace webhook {

struct HeaderField {
  std::string_view name;
  std::string_view value;
};

// In the order received.
struct Headers {
  const HeaderField* fields = nullptr;
  size_t count = 0;

  // The first field of that name in any case ('_' is not '-'); nullptr: none.
  const HeaderField* find(std::string_view name) const {
    for (size_t i = 0; i < count; ++i) {
      if (equal_ignoring_case(fields[i].name, name)) return &fields[i];
    }
    return nullptr;
  }

  size_t occurrences(std::string_view name) const {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
      if (equal_ignoring_case(fields[i].name, name)) ++found;
    }
    return found;
  }

  // The value, or empty text.
  std::string_view value(std::string_view name) const {
    const HeaderField* field = find(name);
    return field == nullptr ? std::string_view() : field->value;
  }
};

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_HEADERS_H_
