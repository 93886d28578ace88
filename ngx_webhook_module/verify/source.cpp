#include "ngx_webhook_module/verify/source.h"

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

constexpr char kForms[] = "header:NAME, json:/POINTER or sigkv:KEY";
constexpr char kChoiceForms[] =
    "header:NAME, json:/POINTER, dotted(SOURCE,...) or concat(SOURCE,...)";

bool is_token_char(char c) {
  return is_alphanumeric(c) ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_header_name(std::string_view name) {
  for (const char c : name) {
    if (!is_token_char(c)) return false;
  }
  return !name.empty() && name.size() <= 128;
}

// RFC 6901: tokens that start with '/', with '~' only as ~0 or ~1.
bool is_pointer(std::string_view pointer) {
  for (size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] != '~') continue;
    if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return false;
  }
  return !pointer.empty() && pointer.front() == '/' && pointer.size() <= 255;
}

bool well_formed(const Source& source) {
  switch (source.kind) {
    case Source::Kind::kHeader: return is_header_name(source.name);
    case Source::Kind::kJson: return is_pointer(source.name);
    case Source::Kind::kSignatureKey: return !source.name.empty();
    case Source::Kind::kNone: break;
  }
  return false;
}

Source::Kind take_kind(std::string_view* word) {
  const std::string_view kind = take_until(word, ':');
  if (kind == "header") return Source::Kind::kHeader;
  if (kind == "json") return Source::Kind::kJson;
  if (kind == "sigkv") return Source::Kind::kSignatureKey;
  return Source::Kind::kNone;
}

bool parse_part(std::string_view word, Choice* choice, ConfigError* error) {
  if (choice->count == Choice::kMaxParts) {
    return error->set("\"%.*s\" is one part too many; at most %zu are put together",
                      WEBHOOK_TEXT(word), Choice::kMaxParts);
  }
  Source* part = &choice->parts[choice->count++];
  if (!parse_source(word, part, error)) return false;
  if (part->kind != Source::Kind::kSignatureKey) return true;
  return error->set("\"%.*s\" is no place for a value of the event; write %s", WEBHOOK_TEXT(word),
                    kChoiceForms);
}

}  // namespace

bool parse_source(std::string_view word, Source* source, ConfigError* error) {
  std::string_view rest = word;
  source->kind = take_kind(&rest);
  source->name = rest;
  if (well_formed(*source)) return true;
  return error->set("\"%.*s\" is no source; write %s", WEBHOOK_TEXT(word), kForms);
}

bool parse_choice(std::string_view word, Choice* choice, ConfigError* error) {
  *choice = Choice();
  std::string_view parts = word;
  const std::string_view join = take_until(&parts, '(');
  if (join != "dotted" && join != "concat") return parse_part(word, choice, error);

  choice->join = join == "dotted" ? Join::kDotted : Join::kConcat;
  if (parts.empty() || parts.back() != ')') {
    return error->set("\"%.*s\" is not closed; write %.*s(SOURCE,...)", WEBHOOK_TEXT(word),
                      WEBHOOK_TEXT(join));
  }
  parts.remove_suffix(1);
  for (bool last = false; !last;) {
    last = parts.find(',') == std::string_view::npos;
    if (!parse_part(take_until(&parts, ','), choice, error)) return false;
  }
  return true;
}

bool parse_unit(std::string_view word, TimeUnit* unit, ConfigError* error) {
  if (word == "s") {
    *unit = TimeUnit::kSeconds;
  } else if (word == "ms") {
    *unit = TimeUnit::kMilliseconds;
  } else if (word == "rfc3339") {
    *unit = TimeUnit::kRfc3339;
  } else {
    return error->set("unknown unit \"%.*s\"; write unit=s, unit=ms or unit=rfc3339",
                      WEBHOOK_TEXT(word));
  }
  return true;
}

}  // namespace webhook
