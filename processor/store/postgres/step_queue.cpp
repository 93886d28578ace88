#include "processor/store/postgres/step_queue.h"

#include <set>
#include <utility>

#include "processor/base/clock.h"

namespace webhook::postgres {
namespace {

Params lease_params(const StepLease& lease) {
  Params params;
  params.add(Text{lease.key.tenant}).add(lease.inbox_id).add(Text{lease.step}).add(lease.token);
  return params;
}

bool any_row(const Rows& rows) {
  return rows.size() > 0;
}

}  // namespace

PgResult<std::vector<StepLease>> StepQueue::claim(const std::string& step, size_t limit,
                                                  std::chrono::milliseconds duration) {
  const Uuid token = make_uuid7(unix_ms());
  Params params;
  params.add(Text{step})
      .add(static_cast<int64_t>(limit))
      .add(static_cast<int64_t>(duration.count()))
      .add(token);
  const char* const statement =
      dialect_ == ClaimDialect::kSkipLocked ? "claim_skip_locked" : "claim_recheck";
  const auto rows = session_.run(statement, params, deadline_);
  if (!rows) return tl::make_unexpected(rows.error());
  std::vector<StepLease> leases;
  for (int at = 0; at < rows->size(); ++at) {
    StepLease& lease = leases.emplace_back();
    lease.key = {rows->text(at, 0), rows->text(at, 1), rows->text(at, 2), rows->text(at, 3)};
    lease.inbox_id = rows->uuid(at, 4);
    lease.step = step;
    lease.generation = static_cast<uint32_t>(rows->integer(at, 5));
    lease.attempt = static_cast<uint32_t>(rows->integer(at, 6));
    lease.token = token;
  }
  return leases;
}

PgResult<std::vector<bool>> StepQueue::complete(std::span<const StepLease> leases,
                                                const std::string& result) {
  Params params;
  params.add_array<Text>(leases, [](const StepLease& lease) { return Text{lease.key.tenant}; })
      .add_array<Uuid>(leases, [](const StepLease& lease) { return lease.inbox_id; })
      .add_array<Text>(leases, [](const StepLease& lease) { return Text{lease.step}; })
      .add_array<Uuid>(leases, [](const StepLease& lease) { return lease.token; })
      .add(Text{result});
  const auto rows = session_.run("complete", params, deadline_);
  if (!rows) return tl::make_unexpected(rows.error());
  std::set<std::pair<Uuid, std::string>> done;
  for (int at = 0; at < rows->size(); ++at) done.emplace(rows->uuid(at, 0), rows->text(at, 1));
  std::vector<bool> completed;
  for (const StepLease& lease : leases) {
    completed.push_back(done.contains({lease.inbox_id, lease.step}));
  }
  return completed;
}

PgResult<bool> StepQueue::put_back(const StepLease& lease, std::chrono::milliseconds delay,
                                   const std::string& error) {
  Params params = lease_params(lease);
  params.add(static_cast<int64_t>(delay.count())).add(Text{error});
  return session_.run("put_back", params, deadline_).map(any_row);
}

PgResult<bool> StepQueue::give_up(const StepLease& lease, const std::string& diagnosis) {
  Params params = lease_params(lease);
  params.add(Text{diagnosis});
  return session_.run("give_up", params, deadline_).map(any_row);
}

PgResult<bool> StepQueue::replay(const EventRow& event, const std::vector<std::string>& steps) {
  Params params;
  params.add(Text{event.key.tenant})
      .add_array<Text>(steps, [](const std::string& step) { return Text{step}; })
      .add(static_cast<int32_t>(steps.size()))
      .add(static_cast<int32_t>(event.generation))
      .add(static_cast<int32_t>(event.steps_left))
      .add(Text{event.status})
      .add(event.inbox_id);
  return session_.run("replay", params, deadline_).map(any_row);
}

}  // namespace webhook::postgres
