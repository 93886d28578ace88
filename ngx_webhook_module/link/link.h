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
  // `address` must live as long as the link.
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

 private:
  friend class Connection;

  Connection* connect();
  Handoff* take(uint64_t stream);
  // The connection takes no new events. `lost`: it was not meant to end.
  void retire(Connection* connection, bool lost);

  ngx_addr_t address_;
  ngx_queue_t connections_;  // the current one, and those that drain
  Connection* current_;      // takes new events; nullptr: none is open
  SlotTable<Handoff> slots_;
  size_t bytes_;  // of bodies in flight
  bool down_;     // the last attempt failed, and that was logged
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_LINK_H_
