// Streams that wait for an answer.
#ifndef NGX_WEBHOOK_LINK_SLOT_TABLE_H_
#define NGX_WEBHOOK_LINK_SLOT_TABLE_H_

#include <stddef.h>
#include <stdint.h>

namespace webhook {

// Gives every waiting T a stream number that nobody else has had: an answer
// that comes after its request has gone matches nothing. Not thread-safe.
template <typename T>
class SlotTable {
 public:
  struct Slot {
    T* waiting;
    uint64_t stream;
    uint32_t next_free;
  };

  static constexpr uint32_t kMaxCapacity = 1u << 20;

  // `slots` holds `capacity` (1 to kMaxCapacity) of them and outlives the table.
  void init(Slot* slots, uint32_t capacity) {
    slots_ = slots;
    capacity_ = capacity;
    free_ = 0;
    count_ = 0;
    for (uint32_t i = 0; i < capacity; ++i) {
      slots[i] = {nullptr, kMaxCapacity | i, i + 1};
    }
  }

  size_t count() const { return count_; }

  // The stream of `waiting`, never 0; 0 when all slots are taken.
  uint64_t insert(T* waiting) {
    if (free_ == capacity_) return 0;
    Slot* slot = &slots_[free_];
    free_ = slot->next_free;
    slot->waiting = waiting;
    ++count_;
    return slot->stream;
  }

  // What waits for `stream`; nullptr when nothing does.
  T* find(uint64_t stream) const {
    const uint64_t index = stream & (kMaxCapacity - 1);
    if (index >= capacity_ || slots_[index].stream != stream) return nullptr;
    return slots_[index].waiting;
  }

  // Takes it out as well.
  T* take(uint64_t stream) {
    T* waiting = find(stream);
    if (waiting == nullptr) return nullptr;
    const uint32_t index = static_cast<uint32_t>(stream & (kMaxCapacity - 1));
    slots_[index] = {nullptr, stream + kMaxCapacity, free_};  // the next generation
    free_ = index;
    --count_;
    return waiting;
  }

 private:
  Slot* slots_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t free_ = 0;
  size_t count_ = 0;
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_SLOT_TABLE_H_
