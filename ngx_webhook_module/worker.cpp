#include "ngx_webhook_module/worker.h"

namespace webhook {
namespace {

ngx_queue_t links = {&links, &links};

}  // namespace

size_t bytes_reading;

Link* link_to(const ngx_addr_t& address, ngx_uint_t capacity) {
  for (ngx_queue_t* q = ngx_queue_head(&links); q != ngx_queue_sentinel(&links);
       q = ngx_queue_next(q)) {
    if (Link::of(q)->address() == to_view(address.name)) return Link::of(q);
  }
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
