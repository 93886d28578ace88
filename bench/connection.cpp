#include "bench/connection.h"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "webhookctl/failure.h"

namespace webhook::bench {
namespace {

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

Connection::~Connection() {
  if (fd_ >= 0) close(fd_);
}

void Connection::open() {
  if (fd_ >= 0) close(fd_);
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) throw Failure(std::string("cannot make a socket: ") + std::strerror(errno));
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  busy_ = false;
  wants_write_ = false;
  reader_.start();
  // What becomes of it, the first write tells.
  (void)connect(fd_, reinterpret_cast<const sockaddr*>(&target_.address), sizeof(target_.address));
  watch(EPOLL_CTL_ADD, EPOLLIN);
}

Connection::Progress Connection::start(uint64_t due_ns) {
  busy_ = true;
  due_ns_ = due_ns;
  written_ = 0;
  reader_.start();
  return write() ? Progress::kWaiting : Progress::kFailed;
}

Connection::Progress Connection::advance() {
  if (busy_ && written_ < request_.size() && !write()) return Progress::kFailed;
  return read();
}

// False when the connection is gone.
bool Connection::write() {
  while (written_ < request_.size()) {
    const ssize_t sent =
        send(fd_, request_.data() + written_, request_.size() - written_, MSG_NOSIGNAL);
    if (sent < 0 && !would_block()) return false;
    if (sent < 0) break;
    written_ += static_cast<size_t>(sent);
  }
  const bool wants_write = written_ < request_.size();
  if (wants_write != wants_write_) {
    watch(EPOLL_CTL_MOD, wants_write ? EPOLLIN | EPOLLOUT : EPOLLIN);
    wants_write_ = wants_write;
  }
  return true;
}

Connection::Progress Connection::read() {
  char buffer[8 * 1024];
  const ssize_t received = recv(fd_, buffer, sizeof(buffer), 0);
  if (received < 0 && would_block()) return Progress::kWaiting;
  if (received <= 0 || !busy_) return Progress::kFailed;
  switch (reader_.feed({buffer, static_cast<size_t>(received)})) {
    case ResponseReader::Progress::kMore: return Progress::kWaiting;
    case ResponseReader::Progress::kBad: return Progress::kFailed;
    case ResponseReader::Progress::kDone: break;
  }
  busy_ = false;
  return Progress::kAnswered;
}

void Connection::watch(int operation, uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.ptr = this;
  epoll_ctl(epoll_, operation, fd_, &event);
}

}  // namespace webhook::bench
