#include "processor/store/postgres/event_reader.h"

#include <algorithm>

namespace webhook::postgres {
namespace {

// The columns that list_events and find_event begin with.
EventRow read_event(const Rows& rows, int at) {
  EventRow event;
  event.key = {rows.text(at, 0), rows.text(at, 1), rows.text(at, 2), rows.text(at, 3)};
  event.inbox_id = rows.uuid(at, 4);
  event.payload_id = rows.optional_uuid(at, 5);
  event.event_type = rows.text(at, 6);
  event.account = rows.text(at, 7);
  event.object_id = rows.text(at, 8);
  event.object_version = rows.text(at, 9);
  event.created_at_ms = rows.optional_time_ms(at, 10);
  event.signed_at_ms = rows.optional_time_ms(at, 11);
  event.received_at_ms = rows.time_ms(at, 12);
  event.secret_version = rows.text(at, 13);
  event.request_id = rows.text(at, 14);
  event.status = rows.text(at, 15);
  event.steps_left = static_cast<uint32_t>(rows.integer(at, 16));
  event.generation = static_cast<uint32_t>(rows.integer(at, 17));
  event.diagnosis = rows.text(at, 18);
  event.body_bytes = static_cast<uint64_t>(rows.integer(at, 19));
  event.expires_at_ms = rows.optional_time_ms(at, 20);
  return event;
}

constexpr int kBlobColumn = 21;  // of find_event

DataKey read_data_key(const Rows& rows, int at) {
  DataKey key;
  const std::string_view id = rows.bytes(at, 0);
  std::copy_n(id.begin(), std::min(id.size(), key.key_id.size()), key.key_id.begin());
  key.kind = data_key_kind_of(rows.bytes(at, 1));
  key.day = rows.unix_day(at, 2);
  key.kek = rows.text(at, 3);
  key.wrapped = rows.text(at, 4);
  key.created_at_ms = rows.time_ms(at, 5);
  return key;
}

Params filter_params(const EventFilter& filter) {
  Params params;
  params.add(Text{filter.tenant})
      .add(Text{filter.provider})
      .add(Text{filter.event_type})
      .add(Text{filter.status})
      .add(Text{filter.event_id})
      .add(Timestamp{filter.since_ms});
  return params;
}

template <typename T, typename Read>
std::vector<T> read_all(const Rows& rows, Read read) {
  std::vector<T> all;
  all.reserve(static_cast<size_t>(rows.size()));
  for (int at = 0; at < rows.size(); ++at) all.push_back(read(rows, at));
  return all;
}

}  // namespace

PgResult<std::vector<EventRow>> EventReader::events(const EventFilter& filter, size_t limit) {
  Params params = filter_params(filter);
  params.add(static_cast<int64_t>(limit));
  return session_.run("list_events", params, deadline_).map([](const Rows& rows) {
    return read_all<EventRow>(rows, read_event);
  });
}

PgResult<uint64_t> EventReader::count(const EventFilter& filter) {
  return session_.run("count_events", filter_params(filter), deadline_).map([](const Rows& rows) {
    return static_cast<uint64_t>(rows.integer(0, 0));
  });
}

PgResult<std::optional<StoredEvent>> EventReader::find(const Uuid& inbox_id) {
  const auto rows = session_.run("find_event", Params().add(inbox_id), deadline_);
  if (!rows) return tl::make_unexpected(rows.error());
  if (rows->size() == 0) return std::nullopt;
  StoredEvent stored{read_event(*rows, 0), {}, std::nullopt};
  if (!rows->is_null(0, kBlobColumn)) stored.blob = rows->text(0, kBlobColumn);
  auto outbox = find_outbox(stored.event);
  if (!outbox) return tl::make_unexpected(outbox.error());
  stored.outbox = std::move(*outbox);
  return stored;
}

PgResult<std::vector<OutboxRow>> EventReader::find_outbox(const EventRow& event) {
  const Params params = Params().add(Text{event.key.tenant}).add(event.inbox_id);
  return session_.run("find_outbox", params, deadline_).map([](const Rows& rows) {
    return read_all<OutboxRow>(rows, [](const Rows& row, int at) {
      return OutboxRow{row.text(at, 0), row.time_ms(at, 1),
                       static_cast<uint32_t>(row.integer(at, 2)), row.text(at, 3)};
    });
  });
}

PgResult<std::map<std::string, uint64_t>> EventReader::status_counts() {
  return session_.run("status_counts", Params(), deadline_).map([](const Rows& rows) {
    std::map<std::string, uint64_t> counts;
    for (int at = 0; at < rows.size(); ++at) {
      counts[rows.text(at, 0)] = static_cast<uint64_t>(rows.integer(at, 1));
    }
    return counts;
  });
}

PgResult<std::optional<int64_t>> EventReader::oldest_unprocessed_ms() {
  return session_.run("oldest_unprocessed", Params(), deadline_)
      .map([](const Rows& rows) -> std::optional<int64_t> {
        if (rows.size() == 0) return std::nullopt;
        return rows.time_ms(0, 0);
      });
}

PgResult<std::vector<DataKey>> EventReader::data_keys() {
  return session_.run("data_keys", Params(), deadline_).map([](const Rows& rows) {
    return read_all<DataKey>(rows, read_data_key);
  });
}

}  // namespace webhook::postgres
