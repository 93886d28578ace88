#include "bench/load_run.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "webhookctl/failure.h"

namespace webhook::bench {
namespace {

// How long answers may take after the last event was due.
constexpr uint64_t kDrainNs = 10 * kNsPerSecond;

// So many broken connections are no measurement.
constexpr uint64_t kMaxLost = 10'000;

uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

timespec timespec_of(uint64_t ns) {
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

}  // namespace

LoadRun::LoadRun(const Target& target, size_t connections, Schedule* schedule, EventSource* events)
    : schedule_(schedule), events_(events), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw Failure(std::string("cannot make an epoll: ") + std::strerror(errno));
  for (size_t i = 0; i < connections; ++i) {
    idle_.push_back(&connections_.emplace_back(target, epoll_));
    idle_.back()->open();
  }
}

LoadRun::~LoadRun() {
  close(epoll_);
}

Report LoadRun::run() {
  schedule_->start(now_ns());
  for (;;) {
    start_due();
    const uint64_t now = now_ns();
    const bool all_idle = idle_.size() == connections_.size();
    if (all_idle && !schedule_->next_due(now)) break;
    if (now >= schedule_->end_ns() + kDrainNs) break;
    wait();
  }
  count_left_over();
  return std::move(report_);
}

void LoadRun::start_due() {
  while (!idle_.empty()) {
    const uint64_t now = now_ns();
    const std::optional<uint64_t> due = schedule_->next_due(now);
    if (!due || *due > now) return;
    schedule_->take();
    Connection* connection = idle_.front();
    idle_.pop_front();
    report_.body_bytes += events_->next(connection->request());
    ++report_.sent;
    handle(connection, connection->start(*due));
  }
}

void LoadRun::wait() {
  const uint64_t now = now_ns();
  const timespec timeout = timespec_of(std::max(wake_at(now), now) - now);
  std::array<epoll_event, 128> ready;
  const int count = epoll_pwait2(epoll_, ready.data(), ready.size(), &timeout, nullptr);
  for (int i = 0; i < count; ++i) {
    auto* connection = static_cast<Connection*>(ready[static_cast<size_t>(i)].data.ptr);
    const bool was_busy = connection->busy();
    const Connection::Progress progress = connection->advance();
    if (was_busy) {
      handle(connection, progress);
    } else if (progress == Connection::Progress::kFailed) {
      connection->open();
    }
  }
}

void LoadRun::handle(Connection* connection, Connection::Progress progress) {
  switch (progress) {
    case Connection::Progress::kWaiting: return;
    case Connection::Progress::kAnswered:
      record_answer(*connection);
      if (connection->must_reopen()) connection->open();
      break;
    case Connection::Progress::kFailed:
      record_loss();
      connection->open();
      break;
  }
  idle_.push_back(connection);
}

void LoadRun::record_answer(const Connection& connection) {
  const uint64_t now = now_ns();
  report_.latency_ns.record(now - connection.due_ns());
  ++report_.answers_by_status[connection.status()];
  report_.elapsed_ns = now - schedule_->start_ns();
}

void LoadRun::record_loss() {
  if (++report_.lost == kMaxLost) {
    throw Failure("the server closed or refused " + std::to_string(kMaxLost) +
                  " connections; is it running?");
  }
}

void LoadRun::count_left_over() {
  report_.lost += connections_.size() - idle_.size();
  for (; schedule_->next_due(now_ns()); schedule_->take()) ++report_.unsent;
}

// While all are busy only an answer, or the end of patience, changes anything.
uint64_t LoadRun::wake_at(uint64_t now_ns) const {
  const std::optional<uint64_t> due = schedule_->next_due(now_ns);
  return due && !idle_.empty() ? *due : schedule_->end_ns() + kDrainNs;
}

}  // namespace webhook::bench
