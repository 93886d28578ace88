#include "processor/accept/batch_former.h"

#include <algorithm>
#include <utility>

namespace webhook {
namespace {

// Share of the newest commit in the average: 1 / 8.
constexpr uint64_t kAverageWeight = 8;

}  // namespace

BatchFormer::Endpoint BatchFormer::endpoint_of(const PreparedEvent& event) {
  return {event.row.key.tenant, event.row.key.provider, event.row.key.endpoint};
}

// With turns, an event waits for its own queue and as many rows of each other.
size_t BatchFormer::rows_ahead(const PreparedEvent& event) const {
  const auto own = queues_.find(endpoint_of(event));
  const bool is_new = own == queues_.end();
  const size_t own_rows = is_new ? 0 : own->second.size();
  const size_t endpoints = queues_.size() + (is_new ? 1 : 0);
  return std::min(rows_, (own_rows + 1) * endpoints - 1);
}

bool BatchFormer::is_hopeless(const PreparedEvent& event, uint64_t now_ns) const {
  if (in_flight_ == 0 && rows_ == 0) return false;
  const size_t ahead = rows_ahead(event);
  const size_t bytes_ahead = rows_ == 0 ? 0 : bytes_ / rows_ * ahead;
  const size_t batches = in_flight_ + std::max(ahead / limits_.rows, bytes_ahead / limits_.bytes);
  return now_ns + commit_ns_ * (batches + 1) > event.ticket.deadline_ns;
}

void BatchFormer::add(PreparedEvent event) {
  ++rows_;
  bytes_ += event.bytes();
  Endpoint endpoint = endpoint_of(event);
  Queue& queue = queues_[endpoint];
  if (queue.empty()) turns_.push_back(std::move(endpoint));
  queue.push_back(std::move(event));
}

bool BatchFormer::fits(const Batch& batch, size_t batch_bytes, const PreparedEvent& next) const {
  return batch.rows.empty() || batch_bytes + next.bytes() <= limits_.bytes;
}

uint64_t BatchFormer::due_ns() const {
  const bool is_full = rows_ >= limits_.rows || bytes_ >= limits_.bytes;
  return in_flight_ == 0 || is_full ? 0 : taken_ns_ + limits_.patience_ns;
}

Batch BatchFormer::take(uint64_t now_ns) {
  Batch batch;
  size_t batch_bytes = 0;
  while (rows_ > 0 && batch.rows.size() < limits_.rows) {
    const auto found = queues_.find(turns_.front());
    PreparedEvent& next = found->second.front();
    const bool expired = next.ticket.deadline_ns <= now_ns;
    if (!expired && !fits(batch, batch_bytes, next)) break;
    --rows_;
    bytes_ -= next.bytes();
    if (expired) {
      batch.expired.push_back(std::move(next));
    } else {
      batch_bytes += next.bytes();
      batch.rows.push_back(std::move(next.row));
      batch.tickets.push_back(std::move(next.ticket));
    }
    found->second.pop_front();
    // A late event takes no turn.
    if (!found->second.empty()) {
      if (!expired) turns_.splice(turns_.end(), turns_, turns_.begin());
    } else {
      queues_.erase(found);
      turns_.pop_front();
    }
  }
  ++in_flight_;
  taken_ns_ = now_ns;
  return batch;
}

void BatchFormer::finish(uint64_t commit_ns) {
  --in_flight_;
  if (commit_ns == 0) return;
  commit_ns_ = commit_ns_ == 0
                   ? commit_ns
                   : commit_ns_ - commit_ns_ / kAverageWeight + commit_ns / kAverageWeight;
}

}  // namespace webhook
