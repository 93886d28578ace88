// Reads the directives of one `webhook_provider NAME { ... }` block.
//
// Words come from NGINX's own tokenizer in the module and from ProviderFile
// elsewhere.
#ifndef WEBHOOK_VERIFY_PROVIDER_PARSER_H_
#define WEBHOOK_VERIFY_PROVIDER_PARSER_H_

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/error.h"
#include "ngx_webhook_module/verify/provider.h"

namespace webhook {

class ProviderParser {
 public:
  // What is parsed lives in `arena`.
  ProviderParser(Arena arena, Provider* provider) : arena_(arena), provider_(provider) {}

  // Names are [A-Za-z0-9._-], at most 64.
  bool begin(std::string_view name, ConfigError* error);

  // One directive: its name and what follows.
  bool add(const std::string_view* words, size_t count, ConfigError* error);

  // Checks that nothing is missing or contradicts.
  bool finish(ConfigError* error);

 private:
  Arena arena_;
  Provider* provider_;
  uint32_t seen_ = 0;  // a bit a directive
};

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_PROVIDER_PARSER_H_
