#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_

#include <string>

#include "processor/base/result.h"
#include "processor/base/unique_fd.h"

namespace webhook::sqlite {

// Makes the file if it is missing and locks it for this process until the
// descriptor is closed; an error when another process has it, by whatever name.
// The kernel frees the lock when a process dies. Close it after SQLite: closing
// any descriptor of the file drops SQLite's own locks.
Result<UniqueFd> lock_instance(const std::string& database_path);

// True while the path still names the locked file.
bool is_in_place(const UniqueFd& lock, const std::string& database_path);

// Refuses network file systems: their locks and shared memory do not hold
// what WAL needs.
Status check_file_system(const std::string& directory);

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_INSTANCE_LOCK_H_
