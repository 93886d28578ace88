// POSTs of signed events.
#ifndef WEBHOOK_WEBHOOKCTL_HTTP_CLIENT_H_
#define WEBHOOK_WEBHOOKCTL_HTTP_CLIENT_H_

#include <curl/curl.h>

#include <memory>
#include <string>
#include <string_view>

#include "webhookctl/header_list.h"

namespace webhook {

struct HttpAnswer {
  long status = 0;
  std::string decision;  // Webhook-Decision; empty where there is none
  double ms = 0;
};

// One endpoint; the connection is kept between posts. Follows no redirects.
class HttpClient {
 public:
  explicit HttpClient(std::string url);

  // Throws Failure when there is no answer within 10 s.
  HttpAnswer post(const HeaderList& headers, std::string_view body);

 private:
  HttpAnswer answer();

  std::string url_;
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_HTTP_CLIENT_H_
