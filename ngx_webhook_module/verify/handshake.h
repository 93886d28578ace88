// Requests that only ask whether the endpoint is there.
#ifndef WEBHOOK_VERIFY_HANDSHAKE_H_
#define WEBHOOK_VERIFY_HANDSHAKE_H_

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/provider.h"
#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

// A larger body is an event: it is not parsed here.
constexpr size_t kMaxHandshakeBody = 4096;

// True, with the text to answer in `echo`, when an authentic body is the
// provider's handshake. Call it only after verify().
bool is_handshake(const Provider& provider, const Body& body, const Arena& arena,
                  std::string_view* echo);

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_HANDSHAKE_H_
