#include "processor/accept/committer.h"

#include <optional>
#include <utility>

#include "processor/accept/answers.h"
#include "processor/base/clock.h"
#include "processor/base/log.h"

namespace webhook {
namespace {

Reason reason_of(AcceptOutcome::Kind kind) {
  switch (kind) {
    case AcceptOutcome::Kind::kAccepted: return Reason::kAccepted;
    case AcceptOutcome::Kind::kDuplicate: return Reason::kDuplicate;
    case AcceptOutcome::Kind::kReplay: return Reason::kReplayed;
    case AcceptOutcome::Kind::kRejected: return Reason::kRejectedByStore;
  }
  return Reason::kInternal;
}

}  // namespace

void Committer::run() {
  while (auto batch = context_.queue.take()) handle(std::move(*batch));
}

void Committer::handle(Batch batch) {
  answer_expired(batch);
  const uint64_t began_ns = monotonic_ns();
  const bool any_rows = !batch.rows.empty();
  if (any_rows) commit(batch);
  context_.queue.finish(any_rows ? monotonic_ns() - began_ns : 0);
  maintain();
}

void Committer::commit(Batch& batch) {
  // After a fatal error the next commit may seem to work: it proves nothing.
  if (context_.failed) return answer_failed(batch);
  const auto outcomes = context_.store.accept(batch.rows);
  if (outcomes) return answer_stored(batch, *outcomes);
  log(LogLevel::kError, "batch not stored",
      {{"why", outcomes.error().message}, {"rows", static_cast<int64_t>(batch.rows.size())}});
  note_failure(outcomes.error());
  answer_failed(batch);
}

void Committer::answer_stored(Batch& batch, const std::vector<AcceptOutcome>& outcomes) {
  Answers answers(context_.replier, context_.counters);
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const bool stored = outcomes[i].kind != AcceptOutcome::Kind::kRejected;
    if (!stored) {
      log(LogLevel::kError, "row not stored",
          {{"why", outcomes[i].why}, {"request_id", batch.rows[i].request_id}});
    }
    answers.add(std::move(batch.tickets[i]), reason_of(outcomes[i].kind), batch.rows[i],
                stored ? std::optional(outcomes[i].inbox_id) : std::nullopt);
  }
  answers.send();
}

void Committer::answer_failed(Batch& batch) {
  Answers answers(context_.replier, context_.counters);
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    answers.add(std::move(batch.tickets[i]), Reason::kStoreUnavailable, batch.rows[i]);
  }
  answers.send();
}

void Committer::answer_expired(Batch& batch) {
  Answers answers(context_.replier, context_.counters);
  for (PreparedEvent& event : batch.expired) {
    answers.add(std::move(event.ticket), Reason::kDeadline, event.row);
  }
  answers.send();
}

void Committer::maintain() {
  if (context_.failed) return;
  const auto maintained = context_.store.maintain();
  if (maintained) return;
  log(LogLevel::kError, "store maintenance failed", {{"why", maintained.error().message}});
  note_failure(maintained.error());
}

void Committer::note_failure(const StoreError& error) {
  if (error.kind != StoreError::Kind::kFatal || context_.failed.exchange(true)) return;
  log(LogLevel::kError, "the store failed, nothing more is accepted", {{"why", error.message}});
  context_.on_fatal();
}

}  // namespace webhook
