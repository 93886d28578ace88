#ifndef WEBHOOK_PROCESSOR_ACCEPT_BATCH_FORMER_H_
#define WEBHOOK_PROCESSOR_ACCEPT_BATCH_FORMER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "processor/accept/prepared_event.h"

namespace webhook {

struct BatchLimits {
  size_t rows = 64;
  size_t bytes = size_t{1} << 20;
  // How long a commit is given before another begins beside it.
  uint64_t patience_ns = 20'000'000;
};

struct Batch {
  std::vector<AcceptRow> rows;
  std::vector<Ticket> tickets;         // one per row
  std::vector<PreparedEvent> expired;  // too late to be put into a batch
};

// Decides what is committed together. A batch is what arrived while the commit
// before it was in flight, up to the limits. Another one begins beside that only
// for a full batch, or when the commit takes longer than the limits' patience:
// small batches side by side cost the store more than they save. Nothing waits
// for a batch to fill for longer than that. Endpoints take turns, one row each,
// so that a flood at one of them cannot keep the others out.
//
// Pure: no threads, and the clock is passed in. Not bounded by itself: the
// link's admission bounds what can be in it.
class BatchFormer {
 public:
  explicit BatchFormer(BatchLimits limits) : limits_(limits) {}

  // True when `event` would likely be stored too late to be worth it, given
  // what is ahead of it and how long commits take. Never true when nothing is
  // ahead: else a slow moment could keep the store idle for ever.
  bool is_hopeless(const PreparedEvent& event, uint64_t now_ns) const;

  void add(PreparedEvent event);
  bool empty() const { return rows_ == 0; }

  // When the next batch is to be taken, now or later; 0: at once.
  uint64_t due_ns() const;

  // The next batch, which from now on is in flight. Has no rows only when
  // every event was too late. A row larger than the byte limit goes alone.
  Batch take(uint64_t now_ns);

  // The batch of an earlier take() is over and took so long; 0: it had nothing
  // to commit, which says nothing of how long commits take.
  void finish(uint64_t commit_ns);

 private:
  using Endpoint = std::tuple<std::string, std::string, std::string>;
  using Queue = std::deque<PreparedEvent>;

  static Endpoint endpoint_of(const PreparedEvent& event);
  size_t rows_ahead(const PreparedEvent& event) const;
  bool fits(const Batch& batch, size_t batch_bytes, const PreparedEvent& next) const;

  const BatchLimits limits_;
  std::map<Endpoint, Queue> queues_;  // none of them empty
  std::list<Endpoint> turns_;         // each endpoint of queues_ once
  size_t rows_ = 0;
  size_t bytes_ = 0;
  size_t in_flight_ = 0;
  uint64_t taken_ns_ = 0;   // the last take()
  uint64_t commit_ns_ = 0;  // moving average
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_BATCH_FORMER_H_
