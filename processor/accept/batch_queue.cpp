#include "processor/accept/batch_queue.h"

#include <utility>

#include "processor/base/clock.h"

namespace webhook {

bool BatchQueue::add(PreparedEvent& event) {
  {
    const std::lock_guard lock(mutex_);
    if (former_.is_hopeless(event, monotonic_ns())) return false;
    former_.add(std::move(event));
  }
  changed_.notify_one();
  return true;
}

std::optional<Batch> BatchQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !former_.empty(); });
  if (former_.empty()) return std::nullopt;
  return former_.take(monotonic_ns());
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
