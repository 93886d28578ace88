#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_ERROR_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_ERROR_H_

#include <sqlite3.h>

#include "processor/store/store.h"

namespace webhook::sqlite {

// What the last failure of `db`, whose extended result code was `code`, means
// for a caller. The only place that knows.
StoreError to_store_error(int code, sqlite3* db);

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_ERROR_H_
