// The verify library's memory, outside NGINX.
#ifndef WEBHOOK_WEBHOOKCTL_HEAP_ARENA_H_
#define WEBHOOK_WEBHOOKCTL_HEAP_ARENA_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "ngx_webhook_module/verify/arena.h"

namespace webhook {

// Frees everything at once when it goes. What it gave out stays where it is
// when the arena is moved.
class HeapArena {
 public:
  // Valid until the arena is moved or destroyed.
  Arena arena() { return {allocate, this}; }

 private:
  static void* allocate(void* self, size_t bytes) {
    auto& blocks = static_cast<HeapArena*>(self)->blocks_;
    blocks.push_back(std::make_unique<std::byte[]>(bytes));
    return blocks.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_HEAP_ARENA_H_
