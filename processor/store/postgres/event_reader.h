#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_EVENT_READER_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_EVENT_READER_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "processor/store/postgres/session.h"
#include "processor/store/store.h"

namespace webhook::postgres {

// The reading half of Store on one session.
class EventReader {
 public:
  EventReader(Session& session, Deadline deadline) : session_(session), deadline_(deadline) {}

  PgResult<std::vector<EventRow>> events(const EventFilter& filter, size_t limit);
  PgResult<uint64_t> count(const EventFilter& filter);
  PgResult<std::optional<StoredEvent>> find(const Uuid& inbox_id);
  PgResult<std::map<std::string, uint64_t>> status_counts();
  PgResult<std::optional<int64_t>> oldest_unprocessed_ms();
  PgResult<std::vector<DataKey>> data_keys();

 private:
  PgResult<std::vector<OutboxRow>> find_outbox(const EventRow& event);

  Session& session_;
  const Deadline deadline_;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_EVENT_READER_H_
