// The way from this worker to one processor.
#ifndef NGX_WEBHOOK_LINK_LINK_H_
#define NGX_WEBHOOK_LINK_LINK_H_

#include "ngx_webhook_module/link/connection.h"
#include "ngx_webhook_module/link/slot_table.h"

namespace webhook {

// How much may be handed off and unanswered (webhook_max_inflight).
struct InflightLimits {
  size_t events;
  size_t bytes;  // of bodies; also the bound for what is queued and unsent
};

// Connects on the first event and again after a loss. One a worker and address;
// not thread-safe, as nothing in a worker is.
class Link {
 public:
  // `capacity` is the largest InflightLimits::events in use. nullptr: no memory.
  static Link* create(const ngx_addr_t& address, size_t capacity);
  void destroy();

  std::string_view address() const { return to_view(address_.name); }

  // kNone when the event is on its way and `handoff` will be completed, else
  // why not: kInflightFull, kProcessorDown, kInternal. Head and body are needed
  // no longer than until the completion or cancel().
  Reason submit(Handoff* handoff, const EventHead& head, const Body& body,
                const InflightLimits& limits);

  // For a request that ends before its answer; nothing if it is not in flight.
  void cancel(Handoff* handoff);

  // The link of that queue node of a worker.
  static Link* of(ngx_queue_t* queue) { return ngx_queue_data(queue, Link, queue_); }
  ngx_queue_t* queue() { return &queue_; }

 private:
  friend class Connection;

  Connection* connect();
  const Handoff* find(uint64_t stream) const { return slots_.find(stream); }
  Handoff* take(uint64_t stream);

  // From its connections: one takes no new events any more; the processor has
  // said hello; it has hung up unasked.
  void retire(Connection* connection);
  void greeted();
  void lost(bool after_hello);
  void note_down();

  ngx_queue_t queue_;  // of the worker's links
  ngx_addr_t address_;
  ngx_sockaddr_t sockaddr_;
  u_char name_[NGX_SOCKADDR_STRLEN];
  ngx_queue_t connections_;  // the current one, and those that drain
  Connection* current_;      // takes new events; nullptr: none is open
  SlotTable<Handoff> slots_;
  size_t bytes_;  // of bodies in flight
  bool down_;     // that was logged, and no hello came since
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_LINK_H_
