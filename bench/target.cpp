#include "bench/target.h"

#include <arpa/inet.h>

#include <charconv>

#include "ngx_webhook_module/verify/text.h"
#include "webhookctl/failure.h"

namespace webhook::bench {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr uint16_t kDefaultPort = 80;

bool parse_port(std::string_view text, uint16_t* port) {
  const auto result = std::from_chars(text.begin(), text.end(), *port);
  return result.ec == std::errc() && result.ptr == text.end();
}

bool parse_authority(const std::string& authority, sockaddr_in* address) {
  std::string_view port_text = authority;
  const std::string host(take_until(&port_text, ':'));
  uint16_t port = kDefaultPort;
  if (host.size() != authority.size() && !parse_port(port_text, &port)) return false;
  address->sin_family = AF_INET;
  address->sin_port = htons(port);
  return inet_pton(AF_INET, host.c_str(), &address->sin_addr) == 1;
}

}  // namespace

Target parse_target(const std::string& url) {
  Target target;
  if (starts_with(url, kScheme)) {
    const size_t slash = url.find('/', kScheme.size());
    target.authority = url.substr(kScheme.size(), slash - kScheme.size());
    target.path = slash == std::string::npos ? "/" : url.substr(slash);
  }
  if (parse_authority(target.authority, &target.address)) return target;
  throw Misuse(url + " is no URL to load; write http://ADDRESS:PORT/PATH with an IPv4 address");
}

}  // namespace webhook::bench
