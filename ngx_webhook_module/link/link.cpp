#include "ngx_webhook_module/link/link.h"

namespace webhook {

Link* Link::create(const ngx_addr_t& address, size_t capacity) {
  using Slot = SlotTable<Handoff>::Slot;
  capacity = ngx_min(capacity, SlotTable<Handoff>::kMaxCapacity);
  void* memory = ngx_calloc(sizeof(Link) + capacity * sizeof(Slot), ngx_cycle->log);
  if (memory == nullptr) return nullptr;
  auto* link = static_cast<Link*>(memory);
  // The configuration that names it may go before the link does.
  link->address_.sockaddr = &link->sockaddr_.sockaddr;
  link->address_.socklen = address.socklen;
  ngx_memcpy(&link->sockaddr_, address.sockaddr, ngx_min(address.socklen, sizeof(ngx_sockaddr_t)));
  link->address_.name.data = link->name_;
  link->address_.name.len = ngx_min(address.name.len, sizeof(link->name_));
  ngx_memcpy(link->name_, address.name.data, link->address_.name.len);
  ngx_queue_init(&link->connections_);
  link->slots_.init(reinterpret_cast<Slot*>(link + 1), static_cast<uint32_t>(capacity));
  return link;
}

void Link::destroy() {
  while (!ngx_queue_empty(&connections_)) {
    ngx_queue_t* first = ngx_queue_head(&connections_);
    Connection* connection = ngx_queue_data(first, Connection, queue_);
    connection->close();
  }
  ngx_free(this);
}

Reason Link::submit(Handoff* handoff, const EventHead& head, const Body& body,
                    const InflightLimits& limits) {
  handoff->waiting = false;
  handoff->body_size = body.size();
  if (slots_.count() >= limits.events || bytes_ + handoff->body_size > limits.bytes) {
    return Reason::kInflightFull;
  }
  if (current_ == nullptr) current_ = connect();
  if (current_ == nullptr) return Reason::kProcessorDown;
  // What a processor that does not read has left behind.
  if (current_->unsent() > limits.bytes) return Reason::kInflightFull;

  handoff->stream = slots_.insert(handoff);
  if (handoff->stream == 0) return Reason::kInflightFull;
  bytes_ += handoff->body_size;
  if (!current_->send(handoff, head, body)) {
    take(handoff->stream);
    return Reason::kInternal;
  }
  handoff->waiting = true;
  return Reason::kNone;
}

void Link::cancel(Handoff* handoff) {
  if (!handoff->waiting) return;
  handoff->waiting = false;
  take(handoff->stream);
  if (handoff->connection != nullptr) {
    handoff->connection->forget(handoff);
  } else {
    ngx_queue_remove(&handoff->queue);
  }
}

Connection* Link::connect() {
  Connection* connection = Connection::open(this, address_, down_);
  if (connection == nullptr) {
    note_down();
  } else {
    ngx_queue_insert_tail(&connections_, &connection->queue_);
  }
  return connection;
}

Handoff* Link::take(uint64_t stream) {
  Handoff* handoff = slots_.take(stream);
  if (handoff != nullptr) bytes_ -= handoff->body_size;
  return handoff;
}

void Link::retire(Connection* connection) {
  if (current_ == connection) current_ = nullptr;
}

// One line when the processor goes and one when it is back, not one a request.
void Link::note_down() {
  if (down_) return;
  down_ = true;
  ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                "webhook processor at %*s cannot be reached, answering 503 until it is back",
                NGX_TEXT(address()));
}

void Link::greeted() {
  if (!down_) return;
  down_ = false;
  ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0, "webhook processor at %*s is back",
                NGX_TEXT(address()));
}

// A socket that takes connections and drops them is no processor.
void Link::lost(bool after_hello) {
  if (!after_hello) {
    note_down();
    return;
  }
  ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0, "webhook processor at %*s has hung up",
                NGX_TEXT(address()));
}

}  // namespace webhook
