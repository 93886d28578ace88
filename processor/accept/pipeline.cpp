#include "processor/accept/pipeline.h"

#include <new>
#include <utility>

#include "processor/base/log.h"

namespace webhook {

Pipeline::Pipeline(PipelineOptions options, Store& store, DataKeys& keys, link::Replier& replier,
                   std::function<void()> on_fatal)
    : queue_(options.batch),
      replier_(replier),
      on_fatal_(std::move(on_fatal)),
      commit_context_{queue_, store, replier, counters_,
                      [this](const std::string& why) { fail_for_good(why); }},
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
  if (failed_) return reply(request, Reason::kStoreUnavailable, AcceptRow());
  pool_.submit(std::move(request));
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
  try {
    auto prepared = preparer.prepare(request.frame);
    if (!prepared) {
      return reply(request, prepared.error(), preparer.last_row());
    }
    enqueue(std::move(*prepared), request);
  } catch (const std::bad_alloc&) {
    reply(request, Reason::kInternal, AcceptRow());
  }
}

void Pipeline::enqueue(Preparer::Prepared prepared, link::Request& request) {
  PreparedEvent event{{request.address, std::move(request.permit), prepared.deadline_ns},
                      std::move(prepared.row)};
  if (queue_.add(event)) return;
  request.permit = std::move(event.ticket.permit);
  reply(request, Reason::kDeadline, event.row);
}

void Pipeline::reply(link::Request& request, Reason reason, const AcceptRow& row) {
  v1::Answer answer = link::make_answer(reason);
  answer.mutable_results(0)->set_event_id(row.key.event_id);
  answer.mutable_results(0)->set_event_type(row.event_type);
  std::vector<link::Reply> replies;
  replies.push_back({request.address, std::move(request.permit), std::move(answer)});
  replier_.reply(std::move(replies));
  record_decision(counters_, reason, row, nullptr);
}

void Pipeline::fail_for_good(const std::string& why) {
  if (failed_.exchange(true)) return;
  log(LogLevel::kError, "the store failed, nothing more is accepted", {{"why", why}});
  on_fatal_();
}

}  // namespace webhook
