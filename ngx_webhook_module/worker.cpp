#include "ngx_webhook_module/worker.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace webhook {
namespace {

ngx_queue_t links = {&links, &links};

// Freed memory that a worker keeps at the end of its heap.
constexpr int kKeptBytes = 4 * 1024 * 1024;
constexpr int kGrowBytes = 1024 * 1024;

// Bodies come and go in bursts. By default glibc would give their memory back
// after each and take it again, page by page: a fifth of what an event costs.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_TOP_PAD, kGrowBytes);
#endif
}

}  // namespace

size_t bytes_reading;

Link* link_to(const ngx_addr_t& address, ngx_uint_t capacity) {
  for (ngx_queue_t* q = ngx_queue_head(&links); q != ngx_queue_sentinel(&links);
       q = ngx_queue_next(q)) {
    if (Link::of(q)->address() == to_view(address.name)) return Link::of(q);
  }
  if (ngx_queue_empty(&links)) keep_freed_memory();
  Link* link = Link::create(address, capacity);
  if (link != nullptr) {
    ngx_queue_insert_tail(&links, link->queue());
  }
  return link;
}

void exit_process(ngx_cycle_t*) {
  while (!ngx_queue_empty(&links)) {
    ngx_queue_t* first = ngx_queue_head(&links);
    ngx_queue_remove(first);
    Link::of(first)->destroy();
  }
}

}  // namespace webhook
