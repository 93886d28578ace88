#ifndef WEBHOOK_WEBHOOKCTL_WHOLE_BODY_H_
#define WEBHOOK_WEBHOOKCTL_WHOLE_BODY_H_

#include <string_view>

#include "ngx_webhook_module/verify/signed_template.h"

namespace webhook {

// A body in one piece, as the verify library reads it. Not copied.
class WholeBody {
 public:
  explicit WholeBody(std::string_view body) : piece_{const_cast<char*>(body.data()), body.size()} {}
  operator Body() const { return {&piece_, 1}; }

 private:
  iovec piece_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_WHOLE_BODY_H_
