#ifndef WEBHOOK_PROCESSOR_ACCEPT_ANSWERS_H_
#define WEBHOOK_PROCESSOR_ACCEPT_ANSWERS_H_

#include <optional>
#include <vector>

#include "ngx_webhook_module/verify/reason.h"
#include "processor/accept/counters.h"
#include "processor/accept/prepared_event.h"
#include "processor/link/handler.h"
#include "processor/store/store.h"

namespace webhook {

// Answers that leave together: each is counted, sent and then logged (R51).
class Answers {
 public:
  Answers(link::Replier& replier, Counters& counters) : replier_(replier), counters_(counters) {}

  // `row` holds what is known of the event and must live until send().
  // `inbox_id` is absent where nothing is stored.
  void add(Ticket ticket, Reason reason, const AcceptRow& row,
           std::optional<Uuid> inbox_id = std::nullopt);

  // At most once.
  void send();

 private:
  struct Decided {
    Reason reason;
    const AcceptRow& row;
    std::optional<Uuid> inbox_id;
  };

  static void log_decision(const Decided& decided);

  link::Replier& replier_;
  Counters& counters_;
  std::vector<link::Reply> replies_;
  std::vector<Decided> decided_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_ANSWERS_H_
