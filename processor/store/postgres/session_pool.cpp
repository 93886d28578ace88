#include "processor/store/postgres/session_pool.h"

namespace webhook::postgres {

SessionPool::SessionPool(Shared& shared, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    sessions_.push_back(std::make_unique<Session>(shared));
    free_.push_back(sessions_.back().get());
  }
}

SessionPool::Guard SessionPool::take() {
  std::unique_lock lock(mutex_);
  given_back_.wait(lock, [this] { return !free_.empty(); });
  // The last one first: it is the most likely to have a connection.
  Session* const session = free_.back();
  free_.pop_back();
  return {*this, *session};
}

void SessionPool::give_back(Session& session) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(&session);
  }
  given_back_.notify_one();
}

}  // namespace webhook::postgres
