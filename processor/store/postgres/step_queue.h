#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_STEP_QUEUE_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_STEP_QUEUE_H_

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "processor/store/postgres/session.h"
#include "processor/store/store.h"

namespace webhook::postgres {

// How two workers keep from claiming one row.
enum class ClaimDialect {
  kSkipLocked,
  kRecheck,  // for engines without SKIP LOCKED
};

// The half of Store that workers use, on one session.
class StepQueue {
 public:
  StepQueue(Session& session, ClaimDialect dialect, Deadline deadline)
      : session_(session), dialect_(dialect), deadline_(deadline) {}

  PgResult<std::vector<StepLease>> claim(const std::string& step, size_t limit,
                                         std::chrono::milliseconds duration);
  PgResult<std::vector<bool>> complete(std::span<const StepLease> leases,
                                       const std::string& result);
  PgResult<bool> put_back(const StepLease& lease, std::chrono::milliseconds delay,
                          const std::string& error);
  PgResult<bool> give_up(const StepLease& lease, const std::string& diagnosis);
  PgResult<bool> replay(const EventRow& event, const std::vector<std::string>& steps);

 private:
  Session& session_;
  const ClaimDialect dialect_;
  const Deadline deadline_;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_STEP_QUEUE_H_
