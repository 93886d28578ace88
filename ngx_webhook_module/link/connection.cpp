#include "ngx_webhook_module/link/connection.h"

#include "ngx_webhook_module/link/link.h"

namespace webhook {
namespace {

size_t read_length(const u_char* bytes) {
  return static_cast<size_t>(bytes[0]) << 24 | static_cast<size_t>(bytes[1]) << 16 |
         static_cast<size_t>(bytes[2]) << 8 | bytes[3];
}

ngx_int_t get_peer(ngx_peer_connection_t*, void*) {
  return NGX_OK;
}

ngx_connection_t* connect_socket(const ngx_addr_t& address, bool silent) {
  // Discards everything, as no level is as urgent as 0.
  static ngx_log_t silent_log;
  ngx_addr_t peer_address = address;
  ngx_peer_connection_t peer;
  ngx_memzero(&peer, sizeof(peer));
  peer.sockaddr = peer_address.sockaddr;
  peer.socklen = peer_address.socklen;
  peer.name = &peer_address.name;
  peer.get = get_peer;
  peer.log = silent ? &silent_log : ngx_cycle->log;
  peer.log_error = NGX_ERROR_ERR;
  const ngx_int_t rc = ngx_event_connect_peer(&peer);
  if (rc == NGX_OK || rc == NGX_AGAIN) return peer.connection;
  if (peer.connection != nullptr) ngx_close_connection(peer.connection);
  return nullptr;
}

}  // namespace

Connection* Connection::open(Link* link, const ngx_addr_t& address, bool silent) {
  auto* connection = static_cast<Connection*>(ngx_calloc(sizeof(Connection), ngx_cycle->log));
  if (connection == nullptr) return nullptr;
  connection->link_ = link;
  ngx_queue_init(&connection->queue_);
  ngx_queue_init(&connection->in_flight_);
  connection->out_.init();
  connection->socket_ = connect_socket(address, silent);
  if (connection->socket_ == nullptr) {
    ngx_free(connection);
    return nullptr;
  }
  ngx_connection_t* c = connection->socket_;
  c->data = connection;
  c->log = c->read->log = c->write->log = ngx_cycle->log;
  c->read->handler = on_read;
  c->write->handler = on_write;
  if (!connection->greet()) {
    connection->close();
    return nullptr;
  }
  return connection;
}

bool Connection::greet() {
  constexpr size_t kHelloBound = 64;
  u_char* out = out_.reserve(kHelloBound);
  if (out == nullptr) return false;
  out_.commit(encode_hello(static_cast<uint32_t>(ngx_pid), out, kHelloBound));
  return true;
}

bool Connection::send(Handoff* handoff, const EventHead& head, const Body& body) {
  const size_t body_size = body.size();
  const size_t bound = event_head_bound(head);
  const bool copy = bound + body_size <= OutQueue::kCopyLimit;
  u_char* out = out_.reserve(bound + (copy ? body_size : 0));
  if (out == nullptr) return false;
  const size_t written = encode_event(head, handoff->stream, body_size, out, bound);
  if (written == 0) return false;
  if (copy) {
    out_.commit_with_copy(written, body);
  } else if (!out_.commit_with_reference(written, body, handoff)) {
    return false;
  }
  handoff->connection = this;
  ngx_queue_insert_tail(&in_flight_, &handoff->queue);
  socket_->idle = 0;
  if (socket_->write->ready) {
    ngx_post_event(socket_->write, &ngx_posted_events);
  }
  return true;
}

void Connection::forget(Handoff* handoff) {
  ngx_queue_remove(&handoff->queue);
  handoff->connection = nullptr;
  if (!out_.detach(handoff)) broken_ = true;
  ngx_post_event(socket_->write, &ngx_posted_events);
}

Connection* Connection::of(ngx_event_t* event) {
  return static_cast<Connection*>(static_cast<ngx_connection_t*>(event->data)->data);
}

void Connection::on_write(ngx_event_t* event) {
  of(event)->flush();
}

void Connection::flush() {
  if (broken_ || out_.flush(socket_) == NGX_ERROR ||
      ngx_handle_write_event(socket_->write, 0) != NGX_OK) {
    fail();
    return;
  }
  settle();
}

void Connection::on_read(ngx_event_t* event) {
  Connection* connection = of(event);
  // NGINX closes what is idle, or everything when its patience ends.
  if (connection->socket_->close || !connection->read()) {
    connection->fail();
    return;
  }
  connection->settle();
}

// False when the connection is of no use any more.
bool Connection::read() {
  for (;;) {
    const ssize_t n = socket_->recv(socket_, buffer_ + received_, sizeof(buffer_) - received_);
    if (n == NGX_AGAIN) return ngx_handle_read_event(socket_->read, 0) == NGX_OK;
    if (n <= 0) return false;
    received_ += n;
    if (!take_frames()) return false;
  }
}

bool Connection::take_frames() {
  size_t taken = 0;
  while (received_ - taken >= kLengthSize) {
    const size_t length = read_length(buffer_ + taken);
    Reply reply;
    if (length > kMaxReplySize) return false;
    if (received_ - taken < kLengthSize + length) break;
    if (!decode_reply(buffer_ + taken + kLengthSize, length, &reply) || !take_reply(reply)) {
      ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                    "webhook processor at %*s sent what is no frame of protocol version %uD",
                    NGX_TEXT(link_->address()), kProtocolVersion);
      return false;
    }
    taken += kLengthSize + length;
  }
  received_ -= taken;
  ngx_memmove(buffer_, buffer_ + taken, received_);
  return true;
}

bool Connection::take_reply(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::kHello:
      if (reply.version != kProtocolVersion) return false;
      greeted_ = true;
      link_->greeted();
      return true;
    case Reply::Kind::kGoAway:
      draining_ = true;
      link_->retire(this);
      return true;
    case Reply::Kind::kAnswer: return greeted_ && take_answer(reply);
    case Reply::Kind::kUnknown: return true;
  }
  return false;
}

bool Connection::take_answer(const Reply& reply) {
  const Handoff* asked = link_->find(reply.stream);
  if (asked == nullptr) return true;  // it has timed out
  if (asked->connection != this) return false;
  Handoff* handoff = link_->take(reply.stream);
  ngx_queue_remove(&handoff->queue);
  // Nothing of it is unsent, unless the processor answers before it has read.
  if (!out_.detach(handoff)) broken_ = true;
  handoff->connection = nullptr;
  handoff->waiting = false;
  handoff->completed(handoff, reply.outcome);
  return true;
}

// Says whether NGINX may close the socket when it wants to stop, and closes it
// when it has served its purpose.
void Connection::settle() {
  const bool busy = !ngx_queue_empty(&in_flight_);
  if (!busy && (draining_ || ngx_exiting)) {
    fail();
    return;
  }
  socket_->idle = !busy;
}

// Closes the socket; what is in flight has no answer.
void Connection::fail() {
  link_->retire(this);
  if (!draining_ && !ngx_exiting) link_->lost(greeted_);
  ngx_queue_t lost;
  ngx_queue_init(&lost);
  while (!ngx_queue_empty(&in_flight_)) {
    ngx_queue_t* first = ngx_queue_head(&in_flight_);
    ngx_queue_remove(first);
    ngx_queue_insert_tail(&lost, first);
    Handoff* handoff = ngx_queue_data(first, Handoff, queue);
    handoff->connection = nullptr;
    link_->take(handoff->stream);
  }
  close();

  // Only now: completing one request can begin or cancel others, which must
  // find no trace of this connection.
  Outcome outcome = {};
  outcome.reason = Reason::kProcessorLost;
  while (!ngx_queue_empty(&lost)) {
    Handoff* handoff = ngx_queue_data(ngx_queue_head(&lost), Handoff, queue);
    ngx_queue_remove(&handoff->queue);
    handoff->waiting = false;
    handoff->completed(handoff, outcome);
  }
}

void Connection::close() {
  ngx_queue_remove(&queue_);
  out_.clear();
  ngx_close_connection(socket_);
  ngx_free(this);
}

}  // namespace webhook
