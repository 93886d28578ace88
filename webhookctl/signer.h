// Signs as a provider does.
#ifndef WEBHOOK_WEBHOOKCTL_SIGNER_H_
#define WEBHOOK_WEBHOOKCTL_SIGNER_H_

#include <cstdint>
#include <string_view>

#include "ngx_webhook_module/verify/mac.h"
#include "ngx_webhook_module/verify/provider.h"
#include "webhookctl/header_list.h"

namespace webhook {

// For one thread at a time. Both arguments must outlive it.
class Signer {
 public:
  Signer(const Provider& provider, MacKey* key) : provider_(provider), key_(key) {}

  // Sets the signature header, and that of the timestamp where the provider has
  // one. `headers` already holds the others that the provider signs. False when
  // OpenSSL fails.
  bool sign(int64_t unix_ms, std::string_view body, HeaderList* headers) const;

 private:
  const Provider& provider_;
  MacKey* key_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_SIGNER_H_
