#ifndef WEBHOOK_PROCESSOR_ACCEPT_PIPELINE_H_
#define WEBHOOK_PROCESSOR_ACCEPT_PIPELINE_H_

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "processor/accept/batch_queue.h"
#include "processor/accept/committer.h"
#include "processor/accept/counters.h"
#include "processor/accept/event_spec.h"
#include "processor/accept/prepare_pool.h"
#include "processor/crypto/data_keys.h"
#include "processor/link/handler.h"
#include "processor/store/store.h"

namespace webhook {

struct PipelineOptions {
  size_t threads = 1;  // that prepare
  BatchLimits batch;
};

// From a request to its durable answer: prepare, batch, commit, reply.
class Pipeline : public link::Handler {
 public:
  // Starts the threads. `on_fatal` is called once, on any thread, when the
  // store must not be used any more; from then on every event is answered
  // store_unavailable. The references must outlive this object.
  Pipeline(PipelineOptions options, Store& store, DataKeys& keys, link::Replier& replier,
           std::function<void()> on_fatal);
  ~Pipeline() override;

  void on_event(link::Request request) override;
  void on_turned_away(Reason reason) override;

  // Returns when everything that was taken is committed and answered.
  void stop();

  const Counters& counters() const { return counters_; }

 private:
  void prepare(Preparer& preparer, link::Request request);
  void answer(Ticket ticket, Reason reason, const AcceptRow& row);

  Counters counters_;
  EventSpecCache specs_;
  BatchQueue queue_;
  link::Replier& replier_;
  std::atomic<bool> failed_ = false;
  Committer::Context commit_context_;
  std::vector<std::thread> committers_;
  PreparePool pool_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_PIPELINE_H_
