// One HTTP/1.1 keep-alive connection: one request at a time, never blocking.
#ifndef WEBHOOK_BENCH_CONNECTION_H_
#define WEBHOOK_BENCH_CONNECTION_H_

#include <cstdint>
#include <string>

#include "bench/response_reader.h"
#include "bench/target.h"

namespace webhook::bench {

class Connection {
 public:
  enum class Progress { kWaiting, kAnswered, kFailed };

  Connection(const Target& target, int epoll) : target_(target), epoll_(epoll) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Begins to connect, in place of what was there. Throws Failure when there
  // are no sockets.
  void open();

  // Where the request to send is put, before start().
  std::string* request() { return &request_; }
  Progress start(uint64_t due_ns);

  // For an epoll event of this connection. Without a request, kFailed means
  // that the server closed it.
  Progress advance();

  bool busy() const { return busy_; }
  uint64_t due_ns() const { return due_ns_; }
  int status() const { return reader_.status(); }
  bool must_reopen() const { return reader_.closes(); }

 private:
  bool write();
  Progress read();
  void watch(int operation, uint32_t events);

  const Target& target_;
  const int epoll_;
  int fd_ = -1;
  bool busy_ = false;
  bool wants_write_ = false;
  uint64_t due_ns_ = 0;
  size_t written_ = 0;
  std::string request_;
  ResponseReader reader_;
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_CONNECTION_H_
