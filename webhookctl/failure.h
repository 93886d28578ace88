// How a command ends early: with one sentence, thrown to main().
#ifndef WEBHOOK_WEBHOOKCTL_FAILURE_H_
#define WEBHOOK_WEBHOOKCTL_FAILURE_H_

#include <stdexcept>

namespace webhook {

// Exit code 1. Never put a secret, a signature or a payload in the sentence.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Exit code 2: the command line, or a file that it names, is wrong.
class Misuse : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_FAILURE_H_
