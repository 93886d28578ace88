#ifndef WEBHOOK_PROCESSOR_ACCEPT_BATCH_QUEUE_H_
#define WEBHOOK_PROCESSOR_ACCEPT_BATCH_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "processor/accept/batch_former.h"

namespace webhook {

// The batch former between the threads that prepare and those that commit.
// Bounded by the link's admission. Thread-safe.
class BatchQueue {
 public:
  explicit BatchQueue(BatchLimits limits) : former_(limits) {}

  // False, and `event` is untouched, when it would be stored too late.
  bool add(PreparedEvent& event);

  // Waits for events. Nothing after close(), once all of them are taken.
  std::optional<Batch> take();

  // After each take(), as BatchFormer::finish().
  void finish(uint64_t commit_ns);

  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  BatchFormer former_;   // guarded by mutex_
  bool closed_ = false;  // guarded by mutex_
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_BATCH_QUEUE_H_
