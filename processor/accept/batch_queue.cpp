#include "processor/accept/batch_queue.h"

#include <chrono>
#include <utility>

#include "processor/base/clock.h"

namespace webhook {

bool BatchQueue::add(PreparedEvent& event) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    const uint64_t now_ns = monotonic_ns();
    if (former_.is_hopeless(event, now_ns)) return false;
    // The first one starts somebody's wait until the batch is due.
    wakes = former_.empty();
    former_.add(std::move(event));
    wakes = wakes || former_.due_ns() <= now_ns;
  }
  if (wakes) changed_.notify_one();
  return true;
}

std::optional<Batch> BatchQueue::take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closed_ || !former_.empty(); });
    if (former_.empty()) return std::nullopt;
    const uint64_t now_ns = monotonic_ns();
    const uint64_t due_ns = former_.due_ns();
    if (closed_ || due_ns <= now_ns) {
      Batch batch = former_.take(now_ns);
      // What is left may be due for another committer before this one is back.
      if (!former_.empty()) changed_.notify_one();
      return batch;
    }
    changed_.wait_for(lock, std::chrono::nanoseconds(due_ns - now_ns));
  }
}

void BatchQueue::finish(uint64_t commit_ns) {
  const std::lock_guard lock(mutex_);
  former_.finish(commit_ns);
}

void BatchQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace webhook
