// The signature header, read without looking at the body.
#ifndef WEBHOOK_VERIFY_SIGNATURE_HEADER_H_
#define WEBHOOK_VERIFY_SIGNATURE_HEADER_H_

#include "ngx_webhook_module/verify/provider.h"
#include "ngx_webhook_module/verify/reason.h"

namespace webhook {

// The decoded signatures of the wanted scheme.
struct Signatures {
  // One an active secret; senders with the most (Svix) send 11.
  static constexpr size_t kMax = 16;
  size_t count = 0;
  uint8_t bytes[kMax][kMaxMacSize];
};

// Elements of other schemes, and those that do not decode to the size of the
// algorithm, are passed over. kNone, or
//   kSignatureScheme     no element is of the wanted scheme
//   kSignatureMalformed  none of those that are can be decoded, or too many
Reason parse_signatures(const Provider& provider, std::string_view value, Signatures* signatures);

// The value of `key` in a header of KEY SEP VALUE elements; false when it is
// missing or doubled.
bool find_element(const SignatureGrammar& grammar, std::string_view header, std::string_view key,
                  std::string_view* value);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_SIGNATURE_HEADER_H_
