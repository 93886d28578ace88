#include "webhookctl/unix_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "webhookctl/failure.h"

namespace webhook {
namespace {

using Clock = std::chrono::steady_clock;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    throw Misuse("\"" + path + "\" is no socket path: it must have 1 to " +
                 std::to_string(sizeof(address.sun_path) - 1) + " bytes");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

UnixConnection::UnixConnection(const std::string& path, std::chrono::seconds timeout)
    : path_(path),
      deadline_(Clock::now() + timeout),
      fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  const sockaddr_un address = address_of(path);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return;
  const int error = errno;
  close(fd_);
  throw Failure("cannot connect to " + path + ": " + std::strerror(error) +
                "; is webhook-processor running with this [admin] socket?");
}

UnixConnection::~UnixConnection() {
  close(fd_);
}

void UnixConnection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (would_block()) {
      wait(POLLOUT);
    } else {
      fail(std::strerror(errno));
    }
  }
}

std::string UnixConnection::read(size_t size) {
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {
    const ssize_t received = recv(fd_, bytes.data() + have, size - have, 0);
    if (received > 0) {
      have += static_cast<size_t>(received);
    } else if (received == 0) {
      fail("it closed the connection without an answer; may this user use it?");
    } else if (would_block()) {
      wait(POLLIN);
    } else {
      fail(std::strerror(errno));
    }
  }
  return bytes;
}

void UnixConnection::wait(short events) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  pollfd ready = {fd_, events, 0};
  if (poll(&ready, 1, static_cast<int>(std::max<int64_t>(left.count(), 0))) == 0) {
    fail("no answer in time");
  }
}

void UnixConnection::fail(const char* what) const {
  throw Failure("the processor at " + path_ + " does not answer: " + what);
}

}  // namespace webhook
