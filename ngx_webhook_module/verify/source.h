// The words that say where a value comes from.
#ifndef WEBHOOK_VERIFY_SOURCE_H_
#define WEBHOOK_VERIFY_SOURCE_H_

#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

// "header:NAME", "json:/POINTER" or "sigkv:KEY". The views point into `word`.
// False with a sentence that names the accepted forms for anything else.
bool parse_source(std::string_view word, Source* source, ConfigError* error);

// A header or json source, or dotted(A,B,...) or concat(A,B,...) of them.
bool parse_choice(std::string_view word, Choice* choice, ConfigError* error);

// "s", "ms" or "rfc3339".
bool parse_unit(std::string_view word, TimeUnit* unit, ConfigError* error);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_SOURCE_H_
