// Where the load goes.
#ifndef WEBHOOK_BENCH_TARGET_H_
#define WEBHOOK_BENCH_TARGET_H_

#include <netinet/in.h>

#include <string>

namespace webhook::bench {

struct Target {
  std::string authority;  // for the Host header
  std::string path;
  sockaddr_in address = {};
};

// "http://IPV4[:PORT]/PATH". Throws Misuse for anything else.
Target parse_target(const std::string& url);

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_TARGET_H_
