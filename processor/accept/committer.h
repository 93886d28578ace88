#ifndef WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_
#define WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_

#include <atomic>
#include <functional>
#include <vector>

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
    // Set once the store has failed in a way that no answer of it may be
    // trusted after; then it is not called again, and on_fatal was, once.
    std::atomic<bool>& failed;
    std::function<void()> on_fatal;
  };

  explicit Committer(Context& context) : context_(context) {}

  // Until the queue is closed and empty.
  void run();

 private:
  void handle(Batch batch);
  void commit(Batch& batch);
  void answer_stored(Batch& batch, const std::vector<AcceptOutcome>& outcomes);
  void answer_failed(Batch& batch);
  void answer_expired(Batch& batch);
  void maintain();
  void note_failure(const StoreError& error);

  Context& context_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_COMMITTER_H_
