#include "ngx_webhook_module/verify/verifier.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace webhook {
namespace {

std::string_view media_type(std::string_view content_type) {
  return trim(take_until(&content_type, ';'));
}

bool is_accepted_type(const Provider& provider, std::string_view type) {
  for (size_t i = 0; i < provider.content_type_count; ++i) {
    if (equal_ignoring_case(provider.content_types[i], type)) return true;
  }
  return provider.content_type_count == 0;
}

Reason check_named_header(Headers headers, std::string_view name, size_t max_size) {
  const HeaderField* field = headers.find(name);
  if (field == nullptr) return Reason::kNone;
  if (headers.occurrences(name) > 1) return Reason::kHeaderDoubled;
  if (field->value.size() > max_size) return Reason::kHeaderOversized;
  return is_printable_ascii(field->value) ? Reason::kNone : Reason::kHeaderMalformed;
}

Reason check_named_headers(const Provider& provider, Headers headers) {
  for (size_t i = 0; i < provider.named_header_count; ++i) {
    const std::string_view name = provider.named_headers[i];
    const bool signature = equal_ignoring_case(name, provider.signature.header);
    const Reason reason =
        check_named_header(headers, name, signature ? kMaxSignatureHeader : kMaxNamedHeader);
    if (reason != Reason::kNone) return reason;
  }
  return Reason::kNone;
}

// A part of the signed bytes that is not there cannot have been signed. One that
// holds the text that ends it could be cut at another place: of "{id}.{ts}.{body}"
// a second reading would move the start of a signed body into the id.
Reason check_signed_headers(const Provider& provider, Headers headers) {
  const SignedTemplate& signed_bytes = provider.signed_bytes;
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    if (signed_bytes.parts[i].kind != TemplatePart::Kind::kHeader) continue;
    const std::string_view value = headers.value(signed_bytes.parts[i].text);
    if (value.empty()) return Reason::kSignedHeaderMissing;
    if (i + 1 == signed_bytes.count) continue;
    const TemplatePart& next = signed_bytes.parts[i + 1];
    if (next.kind == TemplatePart::Kind::kLiteral &&
        value.find(next.text) != std::string_view::npos) {
      return Reason::kHeaderMalformed;
    }
  }
  return Reason::kNone;
}

Reason read_timestamp(const Provider& provider, Headers headers, Claims* claims) {
  if (!provider.signs_time()) return Reason::kNone;
  if (provider.timestamp.kind == Source::Kind::kHeader) {
    claims->timestamp = headers.value(provider.timestamp.name);
    if (claims->timestamp.empty()) return Reason::kSignedHeaderMissing;
  } else if (!find_element(provider.signature, headers.value(provider.signature.header),
                           provider.timestamp.name, &claims->timestamp)) {
    return Reason::kTimestampMalformed;
  }
  const bool readable =
      parse_time(claims->timestamp, provider.timestamp_unit, &claims->signed_at_ms);
  return readable ? Reason::kNone : Reason::kTimestampMalformed;
}

// The index of a signature equal to `mac`, or -1. Looks at all of them.
int find_signature(const Signatures& signatures, const uint8_t* mac, size_t size) {
  int found = -1;
  for (size_t i = 0; i < signatures.count; ++i) {
    if (CRYPTO_memcmp(signatures.bytes[i], mac, size) == 0) found = static_cast<int>(i);
  }
  return found;
}

void record_match(const Secret& secret, const uint8_t* signature, size_t size, Match* match) {
  if (match->secret != nullptr) return;
  match->secret = &secret;
  SHA256(signature, size, match->signature_digest);
}

// Computes every valid secret's digest even after one has matched, so that the
// time taken does not tell which.
Reason match_signature(const Provider& provider, const Claims& claims, Headers headers,
                       const Body& body, SecretSet* secrets, int64_t now_ms, Match* match) {
  const size_t size = mac_size(provider.algorithm);
  bool any_valid = false;
  for (size_t i = 0; i < secrets->count; ++i) {
    Secret* secret = &secrets->secrets[i];
    if (!secret->valid_at(now_ms)) continue;
    any_valid = true;
    uint8_t mac[kMaxMacSize];
    if (!digest(provider.signed_bytes, claims.timestamp, headers, body, &secret->key, mac)) {
      return Reason::kInternal;
    }
    const int found = find_signature(claims.signatures, mac, size);
    if (found >= 0) record_match(*secret, claims.signatures.bytes[found], size, match);
  }
  if (!any_valid) return Reason::kSecretUnavailable;
  return match->secret == nullptr ? Reason::kSignatureMismatch : Reason::kNone;
}

}  // namespace

Reason check_content(const Provider& provider, Headers headers) {
  for (const std::string_view name : {"Content-Encoding", "Content-Type"}) {
    const Reason reason = check_named_header(headers, name, kMaxNamedHeader);
    if (reason != Reason::kNone) return reason;
  }
  const std::string_view encoding = trim(headers.value("Content-Encoding"));
  if (!encoding.empty() && !equal_ignoring_case(encoding, "identity")) {
    return Reason::kContentEncoding;
  }
  const std::string_view type = media_type(headers.value("Content-Type"));
  return is_accepted_type(provider, type) ? Reason::kNone : Reason::kContentType;
}

Reason check_headers(const Provider& provider, Headers headers, Claims* claims) {
  Reason reason = check_named_headers(provider, headers);
  if (reason != Reason::kNone) return reason;

  const HeaderField* signature = headers.find(provider.signature.header);
  if (signature == nullptr || signature->value.empty()) return Reason::kSignatureMissing;

  reason = parse_signatures(provider, signature->value, &claims->signatures);
  if (reason != Reason::kNone) return reason;
  reason = read_timestamp(provider, headers, claims);
  if (reason != Reason::kNone) return reason;
  return check_signed_headers(provider, headers);
}

Reason verify(const Provider& provider, const Claims& claims, Headers headers, const Body& body,
              SecretSet* secrets, Tolerance tolerance, int64_t now_ms, Match* match) {
  match->secret = nullptr;
  const Reason reason = match_signature(provider, claims, headers, body, secrets, now_ms, match);
  if (reason != Reason::kNone || !provider.signs_time()) return reason;
  return check_window(claims.signed_at_ms, now_ms, tolerance);
}

}  // namespace webhook
