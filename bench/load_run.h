// Sends what an EventSource makes, when a Schedule wants it.
#ifndef WEBHOOK_BENCH_LOAD_RUN_H_
#define WEBHOOK_BENCH_LOAD_RUN_H_

#include <deque>

#include "bench/connection.h"
#include "bench/event_source.h"
#include "bench/report.h"
#include "bench/schedule.h"

namespace webhook::bench {

// One thread, one epoll. An event that finds every connection busy waits, and
// its latency counts from when it was due: a slow server cannot slow down the
// measure (no coordinated omission).
class LoadRun {
 public:
  // All must outlive the run.
  LoadRun(const Target& target, size_t connections, Schedule* schedule, EventSource* events);
  ~LoadRun();
  LoadRun(const LoadRun&) = delete;
  LoadRun& operator=(const LoadRun&) = delete;

  // Once. Throws Failure when the server is not there at all.
  Report run();

 private:
  void start_due();
  void wait();
  void handle(Connection* connection, Connection::Progress progress);
  void record_answer(const Connection& connection);
  void record_loss();
  void count_left_over();
  uint64_t wake_at(uint64_t now_ns) const;

  Schedule* schedule_;
  EventSource* events_;
  int epoll_;
  std::deque<Connection> connections_;  // their addresses are kept
  std::deque<Connection*> idle_;        // the one that rested longest in front
  Report report_;
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_LOAD_RUN_H_
