#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_MIGRATOR_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_MIGRATOR_H_

#include "processor/store/sqlite/database.h"

namespace webhook::sqlite {

// Applies the numbered files of sql/sqlite that `database` does not have yet,
// each in its own transaction. Refuses a schema that is newer than this build.
StoreResult<void> migrate(Database& database);

// Refuses a schema that is not exactly this build's; writes nothing.
StoreResult<void> check_schema(Database& database);

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_MIGRATOR_H_
