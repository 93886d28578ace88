// What every command is given.
#ifndef WEBHOOK_WEBHOOKCTL_CONTEXT_H_
#define WEBHOOK_WEBHOOKCTL_CONTEXT_H_

#include <string>

namespace webhook {

struct Context {
  std::string socket = "/run/webhook/admin.sock";
  bool json = false;
  int exit_code = 0;  // of a command that answered; Failure says the others
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_CONTEXT_H_
