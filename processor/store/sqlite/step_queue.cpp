#include "processor/store/sqlite/step_queue.h"

#include <algorithm>

#include "processor/base/clock.h"
#include "processor/store/sqlite/transaction.h"

namespace webhook::sqlite {
namespace {

void bind_lease(Statement& statement, const StepLease& lease) {
  statement.bind_text(":tenant", lease.key.tenant);
  statement.bind_blob(":inbox_id", as_bytes(lease.inbox_id));
  statement.bind_text(":step", lease.step);
  statement.bind_blob(":token", as_bytes(lease.token));
}

StepLease read_lease(const Statement& row, const std::string& step) {
  StepLease lease;
  lease.key = {row.text(0), row.text(1), row.text(2), row.text(3)};
  const std::string id = row.text(4);
  std::copy_n(id.begin(), std::min(id.size(), lease.inbox_id.size()), lease.inbox_id.begin());
  lease.step = step;
  lease.generation = static_cast<uint32_t>(row.integer(5));
  lease.attempt = static_cast<uint32_t>(row.integer(6));
  return lease;
}

}  // namespace

template <typename T, typename Work>
StoreResult<T> StepQueue::in_transaction(Work work) {
  Transaction transaction(database_, statements_);
  if (auto begun = transaction.begin(); !begun) return tl::make_unexpected(begun.error());
  StoreResult<T> done = work();
  if (!done) return done;
  if (auto committed = transaction.commit(); !committed) {
    return tl::make_unexpected(committed.error());
  }
  return done;
}

StoreResult<std::vector<StepLease>> StepQueue::claim(const std::string& step, size_t limit,
                                                     std::chrono::milliseconds duration) {
  using Leases = std::vector<StepLease>;
  return in_transaction<Leases>([&]() -> StoreResult<Leases> {
    auto leases = ready_steps(step, limit);
    if (!leases) return leases;
    const int64_t until_ms = unix_ms() + duration.count();
    for (StepLease& each : *leases) {
      if (auto leased = lease(each, until_ms); !leased) {
        return tl::make_unexpected(leased.error());
      }
    }
    return leases;
  });
}

StoreResult<std::vector<StepLease>> StepQueue::ready_steps(const std::string& step, size_t limit) {
  Statement& ready = statements_.get("ready_steps");
  const ResetGuard guard(ready);
  ready.bind_text(":step", step);
  ready.bind_int(":now", unix_ms());
  ready.bind_int(":limit", static_cast<int64_t>(limit));
  std::vector<StepLease> leases;
  for (;;) {
    const auto row = ready.step();
    if (!row) return tl::make_unexpected(row.error());
    if (!*row) return leases;
    leases.push_back(read_lease(ready, step));
  }
}

StoreResult<void> StepQueue::lease(StepLease& lease, int64_t until_ms) {
  lease.token = make_uuid7(unix_ms());
  ++lease.attempt;
  Statement& update = statements_.get("lease_step");
  bind_lease(update, lease);
  update.bind_int(":next_at", until_ms);
  return update.run();
}

StoreResult<std::vector<bool>> StepQueue::complete(std::span<const StepLease> leases,
                                                   const std::string& result) {
  using Done = std::vector<bool>;
  return in_transaction<Done>([&]() -> StoreResult<Done> {
    Done done;
    for (const StepLease& lease : leases) {
      const auto finished = finish(lease, result);
      if (!finished) return tl::make_unexpected(finished.error());
      done.push_back(*finished);
    }
    return done;
  });
}

StoreResult<bool> StepQueue::finish(const StepLease& lease, const std::string& result) {
  auto removed = remove(lease);
  if (!removed || !*removed) return removed;
  Statement& mark = statements_.get("insert_processed");
  mark.bind_text(":step", lease.step);
  mark.bind_text(":result", result);
  mark.bind_int(":now", unix_ms());
  mark.bind_blob(":inbox_id", as_bytes(lease.inbox_id));
  if (auto marked = mark.run(); !marked) return tl::make_unexpected(marked.error());
  Statement& advance = statements_.get("advance");
  advance.bind_blob(":inbox_id", as_bytes(lease.inbox_id));
  if (auto advanced = advance.run(); !advanced) return tl::make_unexpected(advanced.error());
  return true;
}

StoreResult<bool> StepQueue::remove(const StepLease& lease) {
  Statement& remove = statements_.get("remove_step");
  bind_lease(remove, lease);
  if (auto ran = remove.run(); !ran) return tl::make_unexpected(ran.error());
  return database_.changes() == 1;
}

StoreResult<bool> StepQueue::put_back(const StepLease& lease, std::chrono::milliseconds delay,
                                      const std::string& error) {
  return in_transaction<bool>([&]() -> StoreResult<bool> {
    Statement& update = statements_.get("put_back");
    bind_lease(update, lease);
    update.bind_int(":next_at", unix_ms() + delay.count());
    update.bind_text(":error", error);
    if (auto ran = update.run(); !ran) return tl::make_unexpected(ran.error());
    return database_.changes() == 1;
  });
}

StoreResult<bool> StepQueue::give_up(const StepLease& lease, const std::string& diagnosis) {
  return in_transaction<bool>([&]() -> StoreResult<bool> {
    auto removed = remove(lease);
    if (!removed || !*removed) return removed;
    Statement& fail = statements_.get("mark_failed");
    fail.bind_text(":diagnosis", diagnosis);
    fail.bind_blob(":inbox_id", as_bytes(lease.inbox_id));
    if (auto failed = fail.run(); !failed) return tl::make_unexpected(failed.error());
    return true;
  });
}

StoreResult<bool> StepQueue::replay(const Uuid& inbox_id, const std::vector<std::string>& steps) {
  return in_transaction<bool>([&]() -> StoreResult<bool> {
    const auto status = status_of(inbox_id);
    if (!status) return tl::make_unexpected(status.error());
    if (!can_replay(*status)) return false;
    for (const std::string& step : steps) {
      Statement& restart = statements_.get("restart_step");
      restart.bind_text(":step", step);
      restart.bind_int(":now", unix_ms());
      restart.bind_blob(":inbox_id", as_bytes(inbox_id));
      if (auto ran = restart.run(); !ran) return tl::make_unexpected(ran.error());
    }
    Statement& raise = statements_.get("raise_generation");
    raise.bind_blob(":inbox_id", as_bytes(inbox_id));
    if (auto raised = raise.run(); !raised) return tl::make_unexpected(raised.error());
    return true;
  });
}

// Empty when there is no such event.
StoreResult<std::string> StepQueue::status_of(const Uuid& inbox_id) {
  Statement& find = statements_.get("event_status");
  const ResetGuard guard(find);
  find.bind_blob(":inbox_id", as_bytes(inbox_id));
  const auto row = find.step();
  if (!row) return tl::make_unexpected(row.error());
  return *row ? find.text(0) : std::string();
}

}  // namespace webhook::sqlite
