#include "ngx_webhook_module/verify/provider_parser.h"

#include "ngx_webhook_module/verify/provider_check.h"
#include "ngx_webhook_module/verify/provider_directives.h"
#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

constexpr size_t kMaxWords = 16;

}  // namespace

bool ProviderParser::begin(std::string_view name, ConfigError* error) {
  *provider_ = Provider();
  seen_ = 0;
  if (!is_name(name)) {
    return error->set("\"%.*s\" is no name; use letters, digits, '.', '_' and '-', at most 64",
                      WEBHOOK_TEXT(name));
  }
  provider_->name = copy_text(arena_, name);
  return provider_->name.data() != nullptr || error->set("out of memory");
}

bool ProviderParser::add(const std::string_view* words, size_t count, ConfigError* error) {
  const Directive* directive = find_directive(words[0]);
  if (directive == nullptr) {
    return error->set("unknown directive \"%.*s\"; a provider has %s", WEBHOOK_TEXT(words[0]),
                      kDirectiveNames);
  }
  const uint32_t bit = 1u << (directive - kDirectives);
  if ((seen_ & bit) != 0) {
    return error->set("\"%.*s\" stands here twice", WEBHOOK_TEXT(directive->name));
  }
  seen_ |= bit;
  if (count - 1 < directive->min_words || count - 1 > directive->max_words || count > kMaxWords) {
    return error->set("\"%.*s\" is written: %.*s %s", WEBHOOK_TEXT(directive->name),
                      WEBHOOK_TEXT(directive->name), directive->form);
  }
  std::string_view kept[kMaxWords];
  for (size_t i = 1; i < count; ++i) {
    kept[i - 1] = copy_text(arena_, words[i]);
    if (kept[i - 1].data() == nullptr) return error->set("out of memory");
  }
  ConfigError reason;
  if (directive->parse(provider_, Words{kept, count - 1}, &reason)) return true;
  return error->set("in \"%.*s\": %s", WEBHOOK_TEXT(directive->name), reason.text);
}

bool ProviderParser::finish(ConfigError* error) {
  for (const Directive& directive : kDirectives) {
    const uint32_t bit = 1u << (&directive - kDirectives);
    if (directive.required && (seen_ & bit) == 0) {
      return error->set("provider \"%.*s\" has no \"%.*s\"; write %.*s %s",
                        WEBHOOK_TEXT(provider_->name), WEBHOOK_TEXT(directive.name),
                        WEBHOOK_TEXT(directive.name), directive.form);
    }
  }
  const uint32_t tolerance_bit = 1u << (find_directive("tolerance") - kDirectives);
  if ((seen_ & tolerance_bit) != 0 && !provider_->signs_time()) {
    return error->set("provider \"%.*s\" signs no time, so a tolerance means nothing; remove it",
                      WEBHOOK_TEXT(provider_->name));
  }
  ConfigError reason;
  if (check_provider(provider_, &reason)) return true;
  return error->set("provider \"%.*s\": %s", WEBHOOK_TEXT(provider_->name), reason.text);
}

}  // namespace webhook
