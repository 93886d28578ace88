#ifndef WEBHOOK_PROCESSOR_ADMIN_SERVER_H_
#define WEBHOOK_PROCESSOR_ADMIN_SERVER_H_

#include <string>
#include <thread>

#include "processor/admin/service.h"
#include "processor/base/result.h"
#include "processor/base/unique_fd.h"

namespace webhook::admin {

// The admin socket (mode 0600): one thread, one connection at a time, each
// request answered before the next is read. Frames are a 4-byte big-endian
// length and an AdminRequest or AdminResponse.
class Server {
 public:
  static constexpr size_t kMaxRequestBytes = size_t{64} << 10;
  // A connection that says nothing for so long makes room for the next one.
  static constexpr int kTimeoutMs = 2000;

  // `service` must outlive this object.
  explicit Server(Service& service) : service_(service) {}
  ~Server();

  // Binds and starts the thread.
  Status start(const std::string& path);
  // At most one request later, the thread is gone. Removes the socket file.
  void stop();

 private:
  void run();
  void serve(int connection);
  bool serve_one(int connection, uid_t uid);

  Service& service_;
  std::string path_;
  UniqueFd listener_;
  UniqueFd stop_event_;
  std::thread thread_;
};

}  // namespace webhook::admin

#endif  // WEBHOOK_PROCESSOR_ADMIN_SERVER_H_
