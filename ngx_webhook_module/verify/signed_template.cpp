#include "ngx_webhook_module/verify/signed_template.h"

#include "ngx_webhook_module/verify/source.h"
#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

bool add_part(SignedTemplate* signed_bytes, TemplatePart part, ConfigError* error) {
  if (signed_bytes->count == SignedTemplate::kMaxParts) {
    return error->set("the template has more than %zu parts", SignedTemplate::kMaxParts);
  }
  signed_bytes->parts[signed_bytes->count++] = part;
  return true;
}

bool parse_placeholder(std::string_view name, TemplatePart* part, ConfigError* error) {
  Source source;
  ConfigError ignored;
  if (name == "body") {
    part->kind = TemplatePart::Kind::kBody;
  } else if (name == "ts") {
    part->kind = TemplatePart::Kind::kTimestamp;
  } else if (parse_source(name, &source, &ignored) && source.kind == Source::Kind::kHeader) {
    *part = {TemplatePart::Kind::kHeader, source.name};
  } else {
    return error->set("unknown placeholder \"{%.*s}\"; write {body}, {ts} or {header:NAME}",
                      WEBHOOK_TEXT(name));
  }
  return true;
}

bool parse_parts(std::string_view text, SignedTemplate* signed_bytes, ConfigError* error) {
  while (!text.empty()) {
    const std::string_view literal = slice(text, 0, text.find('{'));
    text.remove_prefix(literal.size());
    if (!literal.empty() &&
        !add_part(signed_bytes, {TemplatePart::Kind::kLiteral, literal}, error)) {
      return false;
    }
    if (text.empty()) break;
    const size_t end = text.find('}');
    if (end == std::string_view::npos) return error->set("\"{\" is not closed by \"}\"");
    TemplatePart part;
    if (!parse_placeholder(slice(text, 1, end), &part, error)) return false;
    if (!add_part(signed_bytes, part, error)) return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

size_t count_bodies(const SignedTemplate& signed_bytes) {
  size_t bodies = 0;
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    if (signed_bytes.parts[i].kind == TemplatePart::Kind::kBody) ++bodies;
  }
  return bodies;
}

bool update_body(const Body& body, MacKey* key) {
  for (size_t i = 0; i < body.count; ++i) {
    const iovec& piece = body.pieces[i];
    if (!key->update({static_cast<const char*>(piece.iov_base), piece.iov_len})) return false;
  }
  return true;
}

bool update_part(const TemplatePart& part, std::string_view timestamp, Headers headers,
                 const Body& body, MacKey* key) {
  switch (part.kind) {
    case TemplatePart::Kind::kLiteral: return key->update(part.text);
    case TemplatePart::Kind::kTimestamp: return key->update(timestamp);
    case TemplatePart::Kind::kHeader: return key->update(headers.value(part.text));
    case TemplatePart::Kind::kBody: return update_body(body, key);
  }
  return false;
}

}  // namespace

bool parse_template(std::string_view text, SignedTemplate* signed_bytes, ConfigError* error) {
  *signed_bytes = SignedTemplate();
  if (!parse_parts(text, signed_bytes, error)) return false;
  if (count_bodies(*signed_bytes) == 1) return true;
  return error->set("the template must hold {body} exactly once");
}

bool has_part(const SignedTemplate& signed_bytes, TemplatePart::Kind kind, std::string_view text) {
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    const TemplatePart& part = signed_bytes.parts[i];
    if (part.kind == kind && equal_ignoring_case(part.text, text)) return true;
  }
  return false;
}

bool digest(const SignedTemplate& signed_bytes, std::string_view timestamp, Headers headers,
            const Body& body, MacKey* key, uint8_t out[kMaxMacSize]) {
  if (!key->begin()) return false;
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    if (!update_part(signed_bytes.parts[i], timestamp, headers, body, key)) return false;
  }
  return key->finish(out);
}

}  // namespace webhook
