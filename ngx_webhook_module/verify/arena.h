// Memory for what a spec, a secret set or a request keeps.
//
// The caller owns it and frees it as a whole: an NGINX pool in the module, a
// growing buffer elsewhere.
#ifndef WEBHOOK_VERIFY_ARENA_H_
#define WEBHOOK_VERIFY_ARENA_H_

#include <stddef.h>
#include <string.h>

#include <string_view>

namespace webhook {

struct Arena {
  // Aligned for any type; nullptr when there is no more.
  void* (*allocate)(void* context, size_t bytes);
  void* context;
};

// A copy of `text` that lives as long as the arena; data() is nullptr when
// there is no memory.
inline std::string_view copy_text(const Arena& arena, std::string_view text) {
  char* bytes = static_cast<char*>(arena.allocate(arena.context, text.size() + 1));
  if (bytes == nullptr) return {};
  if (!text.empty()) memcpy(bytes, text.data(), text.size());
  bytes[text.size()] = '\0';
  return {bytes, text.size()};
}

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_ARENA_H_
