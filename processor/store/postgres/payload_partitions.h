#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_PAYLOAD_PARTITIONS_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_PAYLOAD_PARTITIONS_H_

#include <cstdint>
#include <vector>

#include "processor/store/postgres/session.h"

namespace webhook::postgres {

// Partitions for the payloads of today and of so many days to come: --migrate
// makes them for two weeks, a running processor sees to it that there is one. In
// between the owner has a week, without a warning, to run --migrate again. A day
// without one is no fault yet: its payloads go to payload_default.
constexpr int64_t kPartitionsAtMigration = 14;
constexpr int64_t kPartitionsAhead = 7;

// Makes those that are missing. Each takes a short exclusive lock on payload
// and gives up where it would have to wait for it. The role must own the
// tables.
PgResult<void> make_payload_partitions(Session& session, int64_t now_ms, int64_t days_ahead);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_PAYLOAD_PARTITIONS_H_
