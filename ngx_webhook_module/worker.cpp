#include "ngx_webhook_module/worker.h"

namespace webhook {
namespace {

constexpr size_t kMaxLinks = 64;
Link* links[kMaxLinks];
size_t link_count;

}  // namespace

size_t bytes_reading;

Link* link_to(const ngx_addr_t& address, ngx_uint_t capacity) {
  for (size_t i = 0; i < link_count; ++i) {
    if (links[i]->address() == to_view(address.name)) return links[i];
  }
  if (link_count == kMaxLinks) return nullptr;
  Link* link = Link::create(address, capacity);
  if (link != nullptr) links[link_count++] = link;
  return link;
}

void exit_process(ngx_cycle_t*) {
  while (link_count > 0) links[--link_count]->destroy();
}

}  // namespace webhook
