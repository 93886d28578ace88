#include "processor/accept/answers.h"

#include <utility>

#include "processor/base/log.h"

namespace webhook {

void Answers::add(Ticket ticket, Reason reason, const AcceptRow& row,
                  std::optional<Uuid> inbox_id) {
  counters_.count(reason_decision(reason));
  v1::Answer answer = link::make_answer(reason);
  v1::Result& result = *answer.mutable_results(0);
  result.set_event_id(row.key.event_id);
  result.set_event_type(row.event_type);
  if (inbox_id) result.set_inbox_id(std::string(as_bytes(*inbox_id)));
  replies_.push_back({ticket.address, std::move(ticket.permit), std::move(answer)});
  decided_.push_back({reason, row, inbox_id});
}

// Log lines last: nobody waits for the log.
void Answers::send() {
  if (replies_.empty()) return;
  replier_.reply(std::move(replies_));
  if (!log_enabled(LogLevel::kInfo)) return;
  for (const Decided& decided : decided_) log_decision(decided);
}

void Answers::log_decision(const Decided& decided) {
  const AcceptRow& row = decided.row;
  const std::string inbox_text = decided.inbox_id ? uuid_text(*decided.inbox_id) : "";
  log(LogLevel::kInfo, "event",
      {{"request_id", row.request_id},
       {"decision", decision_name(reason_decision(decided.reason))},
       {"reason", reason_name(decided.reason)},
       {"tenant", row.key.tenant},
       {"provider", row.key.provider},
       {"endpoint", row.key.endpoint},
       {"event_id", row.key.event_id},
       {"event_type", row.event_type},
       {"inbox_id", inbox_text}});
}

}  // namespace webhook
