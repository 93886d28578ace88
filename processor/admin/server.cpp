#include "processor/admin/server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "processor/base/clock.h"
#include "processor/base/files.h"
#include "processor/base/log.h"
#include "processor/base/unix_socket.h"
#include "processor/link/frame_writer.h"
#include "processor/link/protocol.h"

namespace webhook::admin {
namespace {

// Bytes to and from one connection, within a time that is set for each frame.
class Channel {
 public:
  Channel(int connection, int stop_event)
      : connection_(connection),
        stop_event_(stop_event),
        until_ns_(monotonic_ns() + uint64_t{Server::kTimeoutMs} * kNsPerMs) {}

  bool read(char* bytes, size_t size) {
    while (size > 0) {
      if (!wait(POLLIN)) return false;
      const ssize_t got = recv(connection_, bytes, size, MSG_DONTWAIT);
      if (got <= 0 && !is_again(got)) return false;
      if (got <= 0) continue;
      bytes += got;
      size -= static_cast<size_t>(got);
    }
    return true;
  }

  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!wait(POLLOUT)) return false;
      const ssize_t sent =
          send(connection_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent <= 0 && !is_again(sent)) return false;
      if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

 private:
  static bool is_again(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EINTR); }

  bool wait(short events) const {
    const uint64_t now_ns = monotonic_ns();
    if (now_ns >= until_ns_) return false;
    pollfd fds[] = {{connection_, events, 0}, {stop_event_, POLLIN, 0}};
    const int ready = poll(fds, 2, static_cast<int>((until_ns_ - now_ns) / kNsPerMs + 1));
    if (ready < 0) return errno == EINTR;
    return ready > 0 && fds[1].revents == 0;
  }

  const int connection_;
  const int stop_event_;
  const uint64_t until_ns_;
};

size_t decode_length(const char* bytes) {
  size_t length = 0;
  for (size_t i = 0; i < link::kLengthBytes; ++i) {
    length = length << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return length;
}

}  // namespace

Server::~Server() {
  stop();
}

Status Server::start(const std::string& path) {
  auto listener = listen_unix(path, 0600);
  if (!listener) return tl::make_unexpected(listener.error());
  path_ = path;
  listener_ = std::move(*listener);
  stop_event_.reset(eventfd(0, EFD_CLOEXEC));
  if (!stop_event_) return fail("eventfd: {}", last_os_error());
  thread_ = std::thread([this] { run(); });
  return {};
}

void Server::stop() {
  if (!thread_.joinable()) return;
  (void)eventfd_write(stop_event_.get(), 1);
  thread_.join();
  unlink(path_.c_str());
}

void Server::run() {
  for (;;) {
    pollfd fds[] = {{listener_.get(), POLLIN, 0}, {stop_event_.get(), POLLIN, 0}};
    const int ready = poll(fds, 2, -1);
    if (fds[1].revents != 0) return;
    if (ready <= 0) continue;
    const UniqueFd connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    try {
      serve(connection.get());
    } catch (const std::exception& error) {
      log(LogLevel::kError, "admin request failed", {{"why", error.what()}});
    }
  }
}

void Server::serve(int connection) {
  const auto uid = peer_uid(connection);
  if (!uid) return;
  while (serve_one(connection, *uid)) {
  }
}

bool Server::serve_one(int connection, uid_t uid) {
  char length[link::kLengthBytes];
  Channel in(connection, stop_event_.get());
  if (!in.read(length, sizeof(length))) return false;
  const size_t size = decode_length(length);
  if (size > kMaxRequestBytes) return false;
  std::string bytes(size, '\0');
  v1::AdminRequest request;
  if (!in.read(bytes.data(), size) || !request.ParseFromString(bytes)) {
    return false;
  }

  const v1::AdminResponse response = service_.handle(request, uid);
  std::string out;
  link::append_length(out, response.ByteSizeLong());
  response.AppendToString(&out);
  return Channel(connection, stop_event_.get()).write(out);
}

}  // namespace webhook::admin
