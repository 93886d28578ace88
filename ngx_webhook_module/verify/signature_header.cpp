#include "ngx_webhook_module/verify/signature_header.h"

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

struct Element {
  std::string_view key;
  std::string_view value;
};

// Takes the next element off `rest`.
Element take_element(const SignatureGrammar& grammar, std::string_view* rest) {
  std::string_view text = *rest;
  if (grammar.list_separator == 0) {
    *rest = {};
  } else {
    text = take_until(rest, grammar.list_separator);
  }
  text = trim(text);
  if (grammar.kv_separator == 0) return {grammar.key, text};
  if (text.find(grammar.kv_separator) == std::string_view::npos) return {{}, text};
  const std::string_view key = trim(take_until(&text, grammar.kv_separator));
  return {key, trim(text)};
}

bool decode_signature(const Provider& provider, std::string_view text, uint8_t* out) {
  size_t size;
  return decode(provider.encoding, text, out, kMaxMacSize, &size) &&
         size == mac_size(provider.algorithm);
}

}  // namespace

Reason parse_signatures(const Provider& provider, std::string_view value, Signatures* signatures) {
  bool scheme_seen = false;
  signatures->count = 0;
  while (!value.empty()) {
    const Element element = take_element(provider.signature, &value);
    if (element.key != provider.signature.key) continue;
    scheme_seen = true;
    if (signatures->count == Signatures::kMax) return Reason::kSignatureMalformed;
    if (decode_signature(provider, element.value, signatures->bytes[signatures->count])) {
      ++signatures->count;
    }
  }
  if (!scheme_seen) return Reason::kSignatureScheme;
  return signatures->count == 0 ? Reason::kSignatureMalformed : Reason::kNone;
}

bool find_element(const SignatureGrammar& grammar, std::string_view header, std::string_view key,
                  std::string_view* value) {
  bool found = false;
  while (!header.empty()) {
    const Element element = take_element(grammar, &header);
    if (element.key != key) continue;
    if (found) return false;
    found = true;
    *value = element.value;
  }
  return found;
}

}  // namespace webhook
