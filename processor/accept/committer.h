#ifndef WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_
#define WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_

#include <functional>
#include <string>

#include "processor/accept/batch_queue.h"
#include "processor/accept/counters.h"
#include "processor/link/handler.h"
#include "processor/store/store.h"

namespace webhook {

// Takes batches, commits them, answers them. One thread runs one committer.
class Committer {
 public:
  struct Context {
    BatchQueue& queue;
    Store& store;
    link::Replier& replier;
    Counters& counters;
    // The store failed in a way that no answer may be trusted after.
    std::function<void(const std::string& why)> on_fatal;
  };

  explicit Committer(Context& context) : context_(context) {}

  // Until the queue is closed and empty.
  void run();

 private:
  void handle(Batch batch);
  void commit(Batch& batch);
  void answer_stored(Batch& batch, const std::vector<AcceptOutcome>& outcomes);
  void answer_failed(Batch& batch, const StoreError& error);
  void answer_expired(Batch& batch);
  void maintain();

  Context& context_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_
