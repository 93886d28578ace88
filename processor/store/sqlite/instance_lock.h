#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_

#include <string>

#include "processor/base/result.h"
#include "processor/base/unique_fd.h"

namespace webhook::sqlite {

// Takes PATH.lock for this process until the descriptor is closed; an error
// when another process has it. The kernel frees it when a process dies.
Result<UniqueFd> lock_instance(const std::string& database_path);

// Refuses network file systems: their locks and shared memory do not hold
// what WAL needs.
Status check_file_system(const std::string& directory);

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_
