// What stands behind the link: the pipeline, or the sink of a benchmark.
#ifndef WEBHOOK_PROCESSOR_LINK_HANDLER_H_
#define WEBHOOK_PROCESSOR_LINK_HANDLER_H_

#include <cstdint>
#include <vector>

#include "ngx_webhook_module/verify/reason.h"
#include "processor/link/admission.h"
#include "processor/link/frame.h"
#include "webhook.pb.h"

namespace webhook::link {

// Names one event of one session, for its answer.
struct Address {
  uint64_t session = 0;
  uint64_t stream = 0;
};

// An admitted event: `frame.message()` is the encoded Event.
struct Request {
  Address address;
  Admission::Permit permit;
  Frame frame;
};

struct Reply {
  Address address;
  Admission::Permit permit;  // that of the request
  v1::Answer answer;
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Called on the io thread; must not block. Every request gets one reply.
  virtual void on_event(Request request) = 0;

  // The link itself answered an event, with a reason of its own: full or
  // stopping. For the count; nothing is left to do.
  virtual void on_turned_away(Reason reason) = 0;
};

class Replier {
 public:
  virtual ~Replier() = default;

  // Any thread. A reply whose session is gone is dropped. Replies that are
  // given together leave in one write per session.
  virtual void reply(std::vector<Reply> replies) = 0;
};

// An answer of one result, with the decision that belongs to `reason`.
v1::Answer make_answer(Reason reason);

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_HANDLER_H_
