// The processor's admin socket, from the operator's side.
#ifndef WEBHOOK_WEBHOOKCTL_ADMIN_CLIENT_H_
#define WEBHOOK_WEBHOOKCTL_ADMIN_CLIENT_H_

#include <string>

#include "admin.pb.h"

namespace webhook {

// Asks once, in the name of the user who runs this. Throws Failure with the
// processor's sentence when it refuses, or when there is no answer within 10 s.
v1::AdminResponse ask_processor(const std::string& socket, v1::AdminRequest request);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_ADMIN_CLIENT_H_
