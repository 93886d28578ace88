#include "webhookctl/signer.h"

#include <string>

#include "ngx_webhook_module/verify/signed_template.h"
#include "webhookctl/encode.h"
#include "webhookctl/time_text.h"
#include "webhookctl/whole_body.h"

namespace webhook {
namespace {

std::string element(const SignatureGrammar& grammar, std::string_view key, std::string_view value) {
  if (grammar.kv_separator == 0) return std::string(value);
  return std::string(key) + grammar.kv_separator + std::string(value);
}

// "v1=ab12", or "t=1700000000,v1=ab12" where the time stands there as well.
std::string signature_header(const Provider& provider, std::string_view timestamp,
                             std::string_view signature) {
  const SignatureGrammar& grammar = provider.signature;
  std::string header;
  if (provider.timestamp.kind == Source::Kind::kSignatureKey) {
    header = element(grammar, provider.timestamp.name, timestamp) + grammar.list_separator;
  }
  return header + element(grammar, grammar.key, signature);
}

}  // namespace

bool Signer::sign(int64_t unix_ms, std::string_view body, HeaderList* headers) const {
  const std::string timestamp = format_time(unix_ms, provider_.timestamp_unit);
  if (provider_.timestamp.kind == Source::Kind::kHeader) {
    headers->set(provider_.timestamp.name, timestamp);
  }
  uint8_t mac[kMaxMacSize];
  if (!digest(provider_.signed_bytes, timestamp, HeaderView(*headers), WholeBody(body), key_,
              mac)) {
    return false;
  }
  const std::string signature = encode(provider_.encoding, {mac, mac_size(provider_.algorithm)});
  headers->set(provider_.signature.header, signature_header(provider_, timestamp, signature));
  return true;
}

}  // namespace webhook
