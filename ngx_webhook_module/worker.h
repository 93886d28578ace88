// What one worker process has of its own.
#ifndef NGX_WEBHOOK_WORKER_H_
#define NGX_WEBHOOK_WORKER_H_

#include "ngx_webhook_module/link/link.h"
#include "ngx_webhook_module/ngx.h"

namespace webhook {

// The link to that processor, made on first use; nullptr: no memory. One an
// address that the configuration names or has named.
Link* link_to(const ngx_addr_t& address, ngx_uint_t capacity);

// Bytes of bodies that are not verified yet, of all requests of this worker
// (webhook_max_reading).
extern size_t bytes_reading;

// Module hooks: a worker that ends closes its sockets before NGINX complains
// about them.
void exit_process(ngx_cycle_t* cycle);

}  // namespace webhook

#endif  // NGX_WEBHOOK_WORKER_H_
