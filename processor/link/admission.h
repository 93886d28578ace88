#ifndef WEBHOOK_PROCESSOR_LINK_ADMISSION_H_
#define WEBHOOK_PROCESSOR_LINK_ADMISSION_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace webhook::link {

// Bounds what the processor holds at one moment, from the decoded frame to
// the written answer. Every queue behind the link is bounded by it.
// Thread-safe.
class Admission : public std::enable_shared_from_this<Admission> {
 public:
  // One admitted event. Its place is free again when this is destroyed.
  class Permit {
   public:
    Permit(std::shared_ptr<Admission> owner, size_t bytes)
        : owner_(std::move(owner)), bytes_(bytes) {}
    Permit(Permit&&) noexcept = default;
    Permit& operator=(Permit&& other) noexcept {
      std::swap(owner_, other.owner_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Permit() {
      if (owner_) owner_->release(bytes_);
    }

   private:
    std::shared_ptr<Admission> owner_;
    size_t bytes_;
  };

  Admission(size_t max_events, size_t max_bytes) : max_events_(max_events), max_bytes_(max_bytes) {}

  // Nothing when either bound would be passed.
  std::optional<Permit> admit(size_t bytes);

  size_t events() const { return events_.load(std::memory_order_relaxed); }
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void release(size_t bytes);

  const size_t max_events_;
  const size_t max_bytes_;
  std::atomic<size_t> events_ = 0;
  std::atomic<size_t> bytes_ = 0;
};

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_ADMISSION_H_
