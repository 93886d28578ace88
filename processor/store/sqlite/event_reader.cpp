#include "processor/store/sqlite/event_reader.h"

#include <algorithm>

namespace webhook::sqlite {
namespace {

template <typename Array>
Array read_array(const Statement& row, int column) {
  Array array{};
  const std::string bytes = row.text(column);
  std::copy_n(bytes.begin(), std::min(bytes.size(), array.size()), array.begin());
  return array;
}

// The columns of list_events and find_event.
EventRow read_event(const Statement& row) {
  EventRow event;
  event.key = {row.text(0), row.text(1), row.text(2), row.text(3)};
  event.inbox_id = read_array<Uuid>(row, 4);
  if (!row.is_null(5)) event.payload_id = read_array<Uuid>(row, 5);
  event.event_type = row.text(6);
  event.account = row.text(7);
  event.object_id = row.text(8);
  event.object_version = row.text(9);
  event.created_at_ms = row.optional_integer(10);
  event.signed_at_ms = row.optional_integer(11);
  event.received_at_ms = row.integer(12);
  event.secret_version = row.text(13);
  event.request_id = row.text(14);
  event.status = row.text(15);
  event.steps_left = static_cast<uint32_t>(row.integer(16));
  event.generation = static_cast<uint32_t>(row.integer(17));
  event.diagnosis = row.text(18);
  event.body_bytes = static_cast<uint64_t>(row.integer(19));
  event.expires_at_ms = row.optional_integer(20);
  return event;
}

DataKey read_data_key(const Statement& row) {
  DataKey key;
  key.key_id = read_array<KeyId>(row, 0);
  key.kind = data_key_kind_of(row.text(1));
  key.day = row.integer(2);
  key.kek = row.text(3);
  key.wrapped = row.text(4);
  key.created_at_ms = row.integer(5);
  return key;
}

void bind_filter(Statement& statement, const EventFilter& filter) {
  statement.bind_text(":tenant", filter.tenant);
  statement.bind_text(":provider", filter.provider);
  statement.bind_text(":event_type", filter.event_type);
  statement.bind_text(":status", filter.status);
  statement.bind_text(":event_id", filter.event_id);
  statement.bind_int(":since", filter.since_ms);
}

// Every row of a bound statement, through `read`; resets it.
template <typename Read>
StoreResult<void> for_each_row(Statement& statement, Read read) {
  const ResetGuard guard(statement);
  for (;;) {
    const auto row = statement.step();
    if (!row) return tl::make_unexpected(row.error());
    if (!*row) return {};
    read(statement);
  }
}

}  // namespace

StoreResult<std::vector<EventRow>> EventReader::events(const EventFilter& filter, size_t limit) {
  Statement& list = statements_.get("list_events");
  bind_filter(list, filter);
  list.bind_int(":limit", static_cast<int64_t>(limit));
  std::vector<EventRow> events;
  return for_each_row(list, [&events](const Statement& row) { events.push_back(read_event(row)); })
      .map([&events] { return std::move(events); });
}

StoreResult<uint64_t> EventReader::count(const EventFilter& filter) {
  Statement& statement = statements_.get("count_events");
  bind_filter(statement, filter);
  uint64_t count = 0;
  return for_each_row(
             statement,
             [&count](const Statement& row) { count = static_cast<uint64_t>(row.integer(0)); })
      .map([&count] { return count; });
}

StoreResult<std::optional<StoredEvent>> EventReader::find(const Uuid& inbox_id) {
  auto event = find_row(inbox_id);
  if (!event) return tl::make_unexpected(event.error());
  if (!*event) return std::nullopt;
  auto outbox = find_outbox(**event);
  if (!outbox) return tl::make_unexpected(outbox.error());
  StoredEvent stored{std::move(**event), std::move(*outbox), std::nullopt};
  if (!stored.event.payload_id) return stored;
  auto blob = find_blob(*stored.event.payload_id);
  if (!blob) return tl::make_unexpected(blob.error());
  stored.blob = std::move(*blob);
  return stored;
}

StoreResult<std::optional<EventRow>> EventReader::find_row(const Uuid& inbox_id) {
  Statement& find = statements_.get("find_event");
  find.bind_blob(":inbox_id", as_bytes(inbox_id));
  std::optional<EventRow> event;
  return for_each_row(find, [&event](const Statement& row) { event = read_event(row); })
      .map([&event] { return std::move(event); });
}

StoreResult<std::vector<OutboxRow>> EventReader::find_outbox(const EventRow& event) {
  Statement& find = statements_.get("find_outbox");
  find.bind_text(":tenant", event.key.tenant);
  find.bind_blob(":inbox_id", as_bytes(event.inbox_id));
  std::vector<OutboxRow> outbox;
  return for_each_row(find,
                      [&outbox](const Statement& row) {
                        outbox.push_back({row.text(0), row.integer(1),
                                          static_cast<uint32_t>(row.integer(2)), row.text(3)});
                      })
      .map([&outbox] { return std::move(outbox); });
}

StoreResult<std::optional<std::string>> EventReader::find_blob(const Uuid& payload_id) {
  Statement& find = statements_.get("find_payload");
  find.bind_blob(":payload_id", as_bytes(payload_id));
  std::optional<std::string> blob;
  return for_each_row(find, [&blob](const Statement& row) { blob = row.text(0); }).map([&blob] {
    return std::move(blob);
  });
}

StoreResult<std::map<std::string, uint64_t>> EventReader::status_counts() {
  std::map<std::string, uint64_t> counts;
  return for_each_row(statements_.get("status_counts"),
                      [&counts](const Statement& row) {
                        counts[row.text(0)] = static_cast<uint64_t>(row.integer(1));
                      })
      .map([&counts] { return std::move(counts); });
}

StoreResult<std::optional<int64_t>> EventReader::oldest_unprocessed_ms() {
  std::optional<int64_t> oldest;
  return for_each_row(statements_.get("oldest_unprocessed"),
                      [&oldest](const Statement& row) { oldest = row.optional_integer(0); })
      .map([&oldest] { return oldest; });
}

StoreResult<std::vector<DataKey>> EventReader::data_keys() {
  std::vector<DataKey> keys;
  return for_each_row(statements_.get("data_keys"),
                      [&keys](const Statement& row) { keys.push_back(read_data_key(row)); })
      .map([&keys] { return std::move(keys); });
}

}  // namespace webhook::sqlite
