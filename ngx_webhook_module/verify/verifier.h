// Is this request what the provider sent, and is it fresh?
//
// Two steps: what headers alone decide, before a byte of the body is read, and
// what the body decides.
#ifndef WEBHOOK_VERIFY_VERIFIER_H_
#define WEBHOOK_VERIFY_VERIFIER_H_

#include "ngx_webhook_module/verify/headers.h"
#include "ngx_webhook_module/verify/reason.h"
#include "ngx_webhook_module/verify/secrets.h"
#include "ngx_webhook_module/verify/signature_header.h"
#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

constexpr size_t kMaxSignatureHeader = 4096;
constexpr size_t kMaxNamedHeader = 1024;
constexpr size_t kSignatureDigestSize = 32;

// What the headers claim; nothing of it is proved yet.
struct Claims {
  std::string_view timestamp;  // as received; empty: the provider signs none
  int64_t signed_at_ms = 0;
  Signatures signatures;
};

struct Match {
  const Secret* secret = nullptr;
  uint8_t signature_digest[kSignatureDigestSize];  // SHA-256 of the signature
};

// kNone when the request may be a delivery at all, else kContentType,
// kContentEncoding (a coded body is never what was signed), or what is wrong
// with the two headers as such.
Reason check_content(const Provider& provider, Headers headers);

// kNone when every named header comes at most once, is printable ASCII and
// within its bound, signature and timestamp can be read, and no signed header
// holds the literal that ends it in the template. `claims` keeps views into the
// headers.
Reason check_headers(const Provider& provider, Headers headers, Claims* claims);

// kNone, kSecretUnavailable, kSignatureMismatch, kStale, kFuture or kInternal.
// The time is judged only when the signature holds; `match` is then set even
// if the answer is kStale or kFuture. Takes the same time whichever signature
// or secret matches.
Reason verify(const Provider& provider, const Claims& claims, Headers headers, const Body& body,
              SecretSet* secrets, Tolerance tolerance, int64_t now_ms, Match* match);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_VERIFIER_H_
