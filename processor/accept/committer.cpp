#include "processor/accept/committer.h"

#include <new>
#include <utility>

#include "processor/accept/decision_log.h"
#include "processor/base/clock.h"
#include "processor/base/log.h"

namespace webhook {
namespace {

Reason reason_of(AcceptOutcome::Kind kind) {
  switch (kind) {
    case AcceptOutcome::Kind::kAccepted: return Reason::kAccepted;
    case AcceptOutcome::Kind::kDuplicate: return Reason::kDuplicate;
    case AcceptOutcome::Kind::kRejected: return Reason::kRejectedByStore;
  }
  return Reason::kInternal;
}

link::Reply make_reply(Ticket ticket, Reason reason, const AcceptRow& row) {
  v1::Answer answer = link::make_answer(reason);
  answer.mutable_results(0)->set_event_id(row.key.event_id);
  answer.mutable_results(0)->set_event_type(row.event_type);
  return {ticket.address, std::move(ticket.permit), std::move(answer)};
}

}  // namespace

void Committer::run() {
  while (auto batch = context_.queue.take()) handle(std::move(*batch));
}

void Committer::handle(Batch batch) {
  answer_expired(batch);
  const uint64_t began_ns = monotonic_ns();
  if (!batch.rows.empty()) commit(batch);
  context_.queue.finish(monotonic_ns() - began_ns);
  maintain();
}

void Committer::commit(Batch& batch) {
  const auto outcomes = context_.store.accept(batch.rows);
  if (outcomes) {
    answer_stored(batch, *outcomes);
  } else {
    answer_failed(batch, outcomes.error());
  }
}

// Answers first, log lines after: nobody waits for the log.
void Committer::answer_stored(Batch& batch, const std::vector<AcceptOutcome>& outcomes) {
  std::vector<link::Reply> replies;
  replies.reserve(batch.rows.size());
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    link::Reply& reply = replies.emplace_back(
        make_reply(std::move(batch.tickets[i]), reason_of(outcomes[i].kind), batch.rows[i]));
    if (outcomes[i].kind == AcceptOutcome::Kind::kRejected) continue;
    reply.answer.mutable_results(0)->set_inbox_id(std::string(as_bytes(outcomes[i].inbox_id)));
  }
  context_.replier.reply(std::move(replies));
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const bool stored = outcomes[i].kind != AcceptOutcome::Kind::kRejected;
    record_decision(context_.counters, reason_of(outcomes[i].kind), batch.rows[i],
                    stored ? &outcomes[i].inbox_id : nullptr);
  }
}

void Committer::answer_failed(Batch& batch, const StoreError& error) {
  std::vector<link::Reply> replies;
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    replies.push_back(
        make_reply(std::move(batch.tickets[i]), Reason::kStoreUnavailable, batch.rows[i]));
  }
  context_.replier.reply(std::move(replies));
  log(LogLevel::kError, "batch not stored",
      {{"why", error.message}, {"rows", static_cast<int64_t>(batch.rows.size())}});
  for (const AcceptRow& row : batch.rows) {
    record_decision(context_.counters, Reason::kStoreUnavailable, row, nullptr);
  }
  if (error.kind == StoreError::Kind::kFatal) context_.on_fatal(error.message);
}

void Committer::answer_expired(Batch& batch) {
  if (batch.expired.empty()) return;
  std::vector<link::Reply> replies;
  for (PreparedEvent& event : batch.expired) {
    replies.push_back(make_reply(std::move(event.ticket), Reason::kDeadline, event.row));
  }
  context_.replier.reply(std::move(replies));
  for (const PreparedEvent& event : batch.expired) {
    record_decision(context_.counters, Reason::kDeadline, event.row, nullptr);
  }
}

void Committer::maintain() {
  const auto maintained = context_.store.maintain();
  if (maintained) return;
  log(LogLevel::kError, "store maintenance failed", {{"why", maintained.error().message}});
  if (maintained.error().kind == StoreError::Kind::kFatal) {
    context_.on_fatal(maintained.error().message);
  }
}

}  // namespace webhook
