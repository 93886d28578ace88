// The directives of a `webhook_provider` block: their forms, and what each sets.
#ifndef WEBHOOK_VERIFY_PROVIDER_DIRECTIVES_H_
#define WEBHOOK_VERIFY_PROVIDER_DIRECTIVES_H_

#include <stddef.h>

#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// What follows the name of a directive.
struct Words {
  const std::string_view* begin_;
  size_t count;

  const std::string_view* begin() const { return begin_; }
  const std::string_view* end() const { return begin_ + count; }
  std::string_view operator[](size_t i) const { return begin_[i]; }
};

// `parse` is called with a number of words within the bounds.
struct Directive {
  std::string_view name;
  size_t min_words;
  size_t max_words;
  bool required;
  bool (*parse)(Provider*, Words, ConfigError*);
  const char* form;
};

constexpr size_t kDirectiveCount = 15;
extern const Directive kDirectives[kDirectiveCount];

// nullptr when there is no such directive.
const Directive* find_directive(std::string_view name);

// All their names, for people.
extern const char kDirectiveNames[];

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_PROVIDER_DIRECTIVES_H_
