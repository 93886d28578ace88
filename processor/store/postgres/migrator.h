#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_MIGRATOR_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_MIGRATOR_H_

#include "processor/store/postgres/session.h"

namespace webhook::postgres {

// Applies the files of sql/postgres that the database does not have yet, all in
// one transaction, under a lock: of several that migrate at once one does the
// work. Refuses a schema that is newer than this build.
PgResult<void> migrate(Session& session);

// Refuses a schema that is not this build's, with what to do; writes nothing.
PgResult<void> check_schema(Session& session);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_MIGRATOR_H_
