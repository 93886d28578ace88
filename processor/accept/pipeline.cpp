#include "processor/accept/pipeline.h"

#include <new>
#include <utility>

#include "processor/accept/answers.h"

namespace webhook {
namespace {

// Too little memory for one large event is no reason to lose the others.
tl::expected<Preparer::Prepared, Reason> prepare_in_memory(Preparer& preparer,
                                                           const link::Frame& frame) {
  try {
    return preparer.prepare(frame);
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(Reason::kInternal);
  }
}

}  // namespace

Pipeline::Pipeline(PipelineOptions options, Store& store, DataKeys& keys, link::Replier& replier,
                   std::function<void()> on_fatal)
    : queue_(options.batch),
      replier_(replier),
      commit_context_{queue_, store, replier, counters_, failed_, std::move(on_fatal)},
      pool_(options.threads, specs_, keys, [this](Preparer& preparer, link::Request request) {
        prepare(preparer, std::move(request));
      }) {
  for (size_t i = 0; i < store.max_committers(); ++i) {
    committers_.emplace_back([this] { Committer(commit_context_).run(); });
  }
}

Pipeline::~Pipeline() {
  stop();
}

void Pipeline::on_event(link::Request request) {
  if (!failed_) return pool_.submit(std::move(request));
  answer({request.address, std::move(request.permit), 0}, Reason::kStoreUnavailable, AcceptRow());
}

void Pipeline::on_turned_away(Reason reason) {
  counters_.count(reason_decision(reason));
}

void Pipeline::stop() {
  pool_.stop();
  queue_.close();
  for (std::thread& committer : committers_) committer.join();
  committers_.clear();
}

void Pipeline::prepare(Preparer& preparer, link::Request request) {
  Ticket ticket{request.address, std::move(request.permit), 0};
  auto prepared = prepare_in_memory(preparer, request.frame);
  if (!prepared) return answer(std::move(ticket), prepared.error(), preparer.last_row());
  ticket.deadline_ns = prepared->deadline_ns;
  PreparedEvent event{std::move(ticket), std::move(prepared->row)};
  if (queue_.add(event)) return;
  answer(std::move(event.ticket), Reason::kDeadline, event.row);
}

void Pipeline::answer(Ticket ticket, Reason reason, const AcceptRow& row) {
  Answers answers(replier_, counters_);
  answers.add(std::move(ticket), reason, row);
  answers.send();
}

}  // namespace webhook
