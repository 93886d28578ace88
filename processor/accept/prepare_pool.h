#ifndef WEBHOOK_PROCESSOR_ACCEPT_PREPARE_POOL_H_
#define WEBHOOK_PROCESSOR_ACCEPT_PREPARE_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "processor/accept/preparer.h"
#include "processor/link/handler.h"

namespace webhook {

// A few threads that prepare requests, each with its own Preparer.
class PreparePool {
 public:
  // `work` is called on a thread of the pool, with that thread's preparer.
  using Work = std::function<void(Preparer&, link::Request)>;

  PreparePool(size_t threads, EventSpecCache& specs, DataKeys& keys, Work work);
  ~PreparePool();

  // Any thread; does not block.
  void submit(link::Request request);

  // Returns when everything that was submitted is done.
  void stop();

 private:
  void run(EventSpecCache& specs, DataKeys& keys);
  std::optional<link::Request> next();

  const Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Bounded by the link's admission. Guarded by mutex_, as is the flag.
  std::deque<link::Request> requests_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_PREPARE_POOL_H_
