#include "processor/accept/prepare_pool.h"

#include <utility>

namespace webhook {

PreparePool::PreparePool(size_t threads, EventSpecCache& specs, DataKeys& keys, Work work)
    : work_(std::move(work)) {
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this, &specs, &keys] { run(specs, keys); });
  }
}

PreparePool::~PreparePool() {
  stop();
}

void PreparePool::submit(link::Request request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  changed_.notify_one();
}

void PreparePool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void PreparePool::run(EventSpecCache& specs, DataKeys& keys) {
  Preparer preparer(specs, keys);
  while (auto request = next()) work_(preparer, std::move(*request));
}

std::optional<link::Request> PreparePool::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
  if (requests_.empty()) return std::nullopt;
  std::optional<link::Request> request(std::move(requests_.front()));
  requests_.pop_front();
  return request;
}

}  // namespace webhook
