#include "ngx_webhook_module/verify/provider_check.h"

#include "ngx_webhook_module/verify/signed_template.h"
#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

using PartKind = TemplatePart::Kind;

// The whole body is always signed, so every JSON member is.
bool is_signed(const Provider& provider, const Source& source) {
  return source.kind == Source::Kind::kJson ||
         has_part(provider.signed_bytes, PartKind::kHeader, source.name) ||
         (source.kind == provider.timestamp.kind &&
          equal_ignoring_case(source.name, provider.timestamp.name));
}

bool check_signature(const Provider& provider, ConfigError* error) {
  const SignatureGrammar& grammar = provider.signature;
  if ((grammar.kv_separator == 0) != grammar.key.empty()) {
    return error->set("signature needs both kv=SEPARATOR and key=SCHEME, or neither");
  }
  if (grammar.list_separator != 0 && grammar.list_separator == grammar.kv_separator) {
    return error->set("signature has the same separator for list= and kv=");
  }
  return true;
}

bool check_time(const Provider& provider, ConfigError* error) {
  const bool in_template = has_part(provider.signed_bytes, PartKind::kTimestamp, "");
  if (provider.signs_time() && !in_template) {
    return error->set(
        "timestamp is not in signed: a time outside the signature proves nothing; "
        "put {ts} into signed or remove timestamp");
  }
  if (in_template && !provider.signs_time()) {
    return error->set("signed holds {ts}, so write timestamp SOURCE unit=UNIT as well");
  }
  const SignatureGrammar& grammar = provider.signature;
  if (provider.timestamp.kind == Source::Kind::kSignatureKey &&
      (grammar.list_separator == 0 || grammar.kv_separator == 0)) {
    return error->set(
        "timestamp sigkv: needs a signature with list=SEPARATOR kv=SEPARATOR key=SCHEME");
  }
  return true;
}

bool any_part_unsigned(const Provider& provider, const Field& field) {
  for (size_t i = 0; i < field.count; ++i) {
    for (size_t k = 0; k < field.choices[i].count; ++k) {
      if (!is_signed(provider, field.choices[i].parts[k])) return true;
    }
  }
  return false;
}

bool check_field(const Provider& provider, const char* name, const Field& field,
                 ConfigError* error) {
  if (field.count == 0) return true;
  const bool is_unsigned = any_part_unsigned(provider, field);
  if (is_unsigned && !field.outside_signature) {
    return error->set(
        "%s is outside the signature, so anybody can alter it; if that is how the "
        "provider works, add \"unsigned\"",
        name);
  }
  if (!is_unsigned && field.outside_signature) {
    return error->set("%s is inside the signature; remove \"unsigned\"", name);
  }
  return true;
}

bool add_header(Provider* provider, std::string_view name, ConfigError* error) {
  for (size_t i = 0; i < provider->named_header_count; ++i) {
    if (equal_ignoring_case(provider->named_headers[i], name)) return true;
  }
  if (provider->named_header_count == Provider::kMaxNamedHeaders) {
    return error->set("more than %zu headers are named", Provider::kMaxNamedHeaders);
  }
  provider->named_headers[provider->named_header_count++] = name;
  return true;
}

bool add_source(Provider* provider, const Source& source, ConfigError* error) {
  return source.kind != Source::Kind::kHeader || add_header(provider, source.name, error);
}

bool add_field(Provider* provider, const Field& field, ConfigError* error) {
  for (size_t i = 0; i < field.count; ++i) {
    for (size_t k = 0; k < field.choices[i].count; ++k) {
      if (!add_source(provider, field.choices[i].parts[k], error)) return false;
    }
  }
  return true;
}

bool add_signed_headers(Provider* provider, ConfigError* error) {
  for (size_t i = 0; i < provider->signed_bytes.count; ++i) {
    const TemplatePart& part = provider->signed_bytes.parts[i];
    if (part.kind == PartKind::kHeader && !add_header(provider, part.text, error)) return false;
  }
  return true;
}

}  // namespace

bool check_provider(Provider* provider, ConfigError* error) {
  if (!check_signature(*provider, error) || !check_time(*provider, error)) return false;
  if (!add_header(provider, provider->signature.header, error) ||
      !add_source(provider, provider->timestamp, error) || !add_signed_headers(provider, error)) {
    return false;
  }
  const struct {
    const char* name;
    const Field& field;
  } fields[] = {{"event_id", provider->event_id},
                {"event_type", provider->event_type},
                {"account", provider->account},
                {"object_id", provider->object_id},
                {"object_version", provider->object_version},
                {"created_at", provider->created_at}};
  for (const auto& entry : fields) {
    if (!check_field(*provider, entry.name, entry.field, error) ||
        !add_field(provider, entry.field, error)) {
      return false;
    }
  }
  return true;
}

}  // namespace webhook
