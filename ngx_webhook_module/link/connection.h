// One stream socket to the processor, shared by many requests of one worker.
#ifndef NGX_WEBHOOK_LINK_CONNECTION_H_
#define NGX_WEBHOOK_LINK_CONNECTION_H_

#include "ngx_webhook_module/link/frame.h"
#include "ngx_webhook_module/link/out_queue.h"
#include "ngx_webhook_module/ngx.h"

namespace webhook {

class Link;

// What waits for an answer. Embedded in the context of a request.
struct Handoff {
  ngx_queue_t queue;
  bool waiting;                  // between submit() and completed() or cancel()
  class Connection* connection;  // nullptr while waiting: it was lost
  uint64_t stream;
  size_t body_size;

  // Called once, from the event loop, with what the processor says or with the
  // reason why it says nothing. Not called after Link::cancel().
  void (*completed)(Handoff* handoff, const Outcome& outcome);
};

class Connection {
 public:
  // nullptr when the socket refuses. With `silent` NGINX does not log why.
  static Connection* open(Link* link, const ngx_addr_t& address, bool silent);

  // Queues the event; the bytes leave at the end of this turn of the event
  // loop, together with those of other requests. False: no memory.
  bool send(Handoff* handoff, const EventHead& head, const Body& body);

  // The owner goes before its answer came. Never closes the connection at once:
  // this can be called while its frames are being read.
  void forget(Handoff* handoff);

  size_t unsent() const { return out_.size(); }

  // Closes the socket without a word to anybody.
  void close();

 private:
  static void on_write(ngx_event_t* event);
  static void on_read(ngx_event_t* event);
  static Connection* of(ngx_event_t* event);

  bool greet();
  void flush();
  bool read();
  bool take_frames();
  bool take_reply(const Reply& reply);
  bool take_answer(const Reply& reply);
  void settle();
  void fail();

  friend class Link;
  ngx_queue_t queue_;  // of all connections of the link
  ngx_connection_t* socket_;
  Link* link_;
  ngx_queue_t in_flight_;
  OutQueue out_;
  bool greeted_;
  bool broken_;    // nothing that follows on it would be understood
  bool draining_;  // a GoAway came: only what is in flight is awaited
  size_t received_;
  u_char buffer_[kLengthSize + kMaxReplySize];
};

}  // namespace webhook

#endif  // NGX_WEBHOOK_LINK_CONNECTION_H_
