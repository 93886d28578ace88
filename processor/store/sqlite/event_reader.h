#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_EVENT_READER_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_EVENT_READER_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "processor/store/sqlite/named_statements.h"
#include "processor/store/store.h"

namespace webhook::sqlite {

// The reading half of Store on one connection, whose mutex the caller holds.
class EventReader {
 public:
  explicit EventReader(NamedStatements& statements) : statements_(statements) {}

  StoreResult<std::vector<EventRow>> events(const EventFilter& filter, size_t limit);
  StoreResult<uint64_t> count(const EventFilter& filter);
  StoreResult<std::optional<StoredEvent>> find(const Uuid& inbox_id);
  StoreResult<std::map<std::string, uint64_t>> status_counts();
  StoreResult<std::optional<int64_t>> oldest_unprocessed_ms();
  StoreResult<std::vector<DataKey>> data_keys();

 private:
  StoreResult<std::optional<EventRow>> find_row(const Uuid& inbox_id);
  StoreResult<std::vector<OutboxRow>> find_outbox(const EventRow& event);
  StoreResult<std::optional<std::string>> find_blob(const Uuid& payload_id);

  NamedStatements& statements_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_EVENT_READER_H_
