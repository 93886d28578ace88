#ifndef WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_
#define WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_

#include <memory>
#include <string>

#include "processor/base/result.h"
#include "processor/store/store.h"

namespace webhook {

// The path of "sqlite:PATH"; an error for what this build cannot open.
Result<std::string> sqlite_path(const std::string& dsn);

// The store that `dsn` names, made and migrated where that is automatic.
Result<std::unique_ptr<Store>> open_store(const std::string& dsn);

// Only for reading; null when there is no store yet.
Result<std::unique_ptr<Store>> open_store_read_only(const std::string& dsn);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_
