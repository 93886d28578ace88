// A connection to a Unix stream socket, with one deadline for all it does.
#ifndef WEBHOOK_WEBHOOKCTL_UNIX_CONNECTION_H_
#define WEBHOOK_WEBHOOKCTL_UNIX_CONNECTION_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace webhook {

// Every member throws Failure when the socket fails or the deadline passes.
class UnixConnection {
 public:
  UnixConnection(const std::string& path, std::chrono::seconds timeout);
  ~UnixConnection();
  UnixConnection(const UnixConnection&) = delete;
  UnixConnection& operator=(const UnixConnection&) = delete;

  void write(std::string_view bytes);

  // Exactly `size` bytes.
  std::string read(size_t size);

 private:
  void wait(short events);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::chrono::steady_clock::time_point deadline_;
  int fd_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_UNIX_CONNECTION_H_
