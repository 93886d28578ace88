#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_STEP_QUEUE_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_STEP_QUEUE_H_

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "processor/store/sqlite/database.h"
#include "processor/store/sqlite/named_statements.h"
#include "processor/store/store.h"

namespace webhook::sqlite {

// The half of Store that workers use, on the writing connection, whose mutex
// the caller holds. Each call is one transaction.
class StepQueue {
 public:
  StepQueue(Database& database, NamedStatements& statements)
      : database_(database), statements_(statements) {}

  StoreResult<std::vector<StepLease>> claim(const std::string& step, size_t limit,
                                            std::chrono::milliseconds duration);
  StoreResult<std::vector<bool>> complete(std::span<const StepLease> leases,
                                          const std::string& result);
  StoreResult<bool> put_back(const StepLease& lease, std::chrono::milliseconds delay,
                             const std::string& error);
  StoreResult<bool> give_up(const StepLease& lease, const std::string& diagnosis);
  StoreResult<bool> replay(const Uuid& inbox_id, const std::vector<std::string>& steps);

 private:
  // `work()` between begin and commit.
  template <typename T, typename Work>
  StoreResult<T> in_transaction(Work work);

  StoreResult<std::vector<StepLease>> ready_steps(const std::string& step, size_t limit);
  StoreResult<void> lease(StepLease& lease, int64_t until_ms);
  StoreResult<bool> remove(const StepLease& lease);
  StoreResult<bool> finish(const StepLease& lease, const std::string& result);
  StoreResult<std::string> status_of(const Uuid& inbox_id);

  Database& database_;
  NamedStatements& statements_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_STEP_QUEUE_H_
