#include "processor/admin/service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "processor/accept/envelope.h"
#include "processor/base/clock.h"
#include "processor/crypto/sealed_blob.h"

namespace webhook::admin {
namespace {

constexpr uint32_t kDefaultLimit = 50;
constexpr uint32_t kMaxLimit = 1000;
constexpr uint64_t kNsPerS = 1'000'000'000;

v1::AdminResponse error_response(std::string message) {
  v1::AdminResponse response;
  response.set_error(std::move(message));
  return response;
}

EventFilter to_filter(const v1::EventsQuery& query) {
  return {query.tenant(), query.provider(), query.event_type(),
          query.status(), query.event_id(), query.since_ms()};
}

void fill_record(const EventRow& event, v1::EventRecord& record) {
  record.set_inbox_id(uuid_text(event.inbox_id));
  record.set_tenant(event.key.tenant);
  record.set_provider(event.key.provider);
  record.set_endpoint(event.key.endpoint);
  record.set_event_id(event.key.event_id);
  record.set_event_type(event.event_type);
  record.set_account(event.account);
  record.set_object_id(event.object_id);
  record.set_object_version(event.object_version);
  if (event.created_at_ms) record.set_created_at_ms(*event.created_at_ms);
  if (event.signed_at_ms) record.set_signed_at_ms(*event.signed_at_ms);
  record.set_received_at_ms(event.received_at_ms);
  record.set_secret_version(event.secret_version);
  record.set_request_id(event.request_id);
  record.set_status(event.status);
  record.set_steps_left(event.steps_left);
  record.set_generation(event.generation);
  record.set_diagnosis(event.diagnosis);
  record.set_body_bytes(event.body_bytes);
}

void fill_outbox(const OutboxRow& row, v1::OutboxRecord& record) {
  record.set_step(row.step);
  record.set_next_at_ms(row.next_at_ms);
  record.set_attempt(row.attempt);
  record.set_last_error(row.last_error);
}

}  // namespace

Service::Service(Store& store, DataKeys& keys, const Counters& counters,
                 const link::Admission& in_flight)
    : store_(store),
      keys_(keys),
      counters_(counters),
      in_flight_(in_flight),
      started_ns_(monotonic_ns()) {}

v1::AdminResponse Service::handle(const v1::AdminRequest& request, uid_t uid) {
  switch (request.command_case()) {
    case v1::AdminRequest::kStatus: return status();
    case v1::AdminRequest::kListEvents: return list(request.list_events());
    case v1::AdminRequest::kCountEvents: return count(request.count_events());
    case v1::AdminRequest::kShowEvent: {
      if (!is_valid_field(request.operator_())) {
        return error_response("the operator's name is no name");
      }
      return show(request.show_event(), fmt::format("{} (uid {})", request.operator_(), uid));
    }
    case v1::AdminRequest::COMMAND_NOT_SET: break;
  }
  return error_response("this processor does not know that command");
}

v1::AdminResponse Service::status() {
  v1::AdminResponse response;
  v1::StatusReport& report = *response.mutable_status();
  report.set_version(WEBHOOK_VERSION);
  report.set_store(store_.name());
  report.set_uptime_s((monotonic_ns() - started_ns_) / kNsPerS);
  report.set_events_in_flight(in_flight_.events());
  report.set_bytes_in_flight(in_flight_.bytes());
  report.set_accepted(counters_.accepted);
  report.set_duplicate(counters_.duplicate);
  report.set_refused(counters_.refused);
  report.set_unavailable(counters_.unavailable);
  // These look at every row. A store too large for that still has a status.
  if (const auto counts = store_.status_counts()) {
    for (const auto& [name, rows] : *counts) (*report.mutable_rows_by_status())[name] = rows;
  }
  if (const auto oldest = store_.oldest_unprocessed_ms(); oldest && *oldest) {
    report.set_oldest_unprocessed_ms(**oldest);
  }
  return response;
}

v1::AdminResponse Service::list(const v1::EventsQuery& query) {
  const size_t limit = query.limit() == 0 ? kDefaultLimit : std::min(query.limit(), kMaxLimit);
  // One more than asked for tells whether there are more.
  const auto events = store_.events(to_filter(query), limit + 1);
  if (!events) return error_response(events.error().message);
  v1::AdminResponse response;
  v1::EventList& list = *response.mutable_events();
  list.set_more(events->size() > limit);
  for (size_t i = 0; i < std::min(events->size(), limit); ++i) {
    fill_record((*events)[i], *list.add_events());
  }
  return response;
}

v1::AdminResponse Service::count(const v1::EventsQuery& query) {
  const auto count = store_.count(to_filter(query));
  if (!count) return error_response(count.error().message);
  v1::AdminResponse response;
  response.set_count(*count);
  return response;
}

v1::AdminResponse Service::show(const v1::ShowEvent& show, const std::string& operator_name) {
  const auto id = parse_uuid(show.inbox_id());
  if (!id)
    return error_response(
        "that is no inbox id: write the UUID in the last column of \"events list\" (events list "
        "--event-id ID finds it)");
  const auto found = store_.find(*id);
  if (!found) return error_response(found.error().message);
  if (!*found) {
    return error_response(fmt::format("no event {}", show.inbox_id()));
  }
  const StoredEvent& stored = **found;
  v1::AdminResponse response;
  v1::ShownEvent& shown = *response.mutable_event();
  fill_record(stored.event, *shown.mutable_record());
  for (const OutboxRow& row : stored.outbox) {
    fill_outbox(row, *shown.add_outbox());
  }
  if (show.raw() && stored.blob) {
    if (auto added = add_payload(stored, operator_name, shown); !added) {
      return error_response(added.error().message);
    }
  }
  return response;
}

// Recorded first (R52): who cannot be recorded sees nothing.
Status Service::add_payload(const StoredEvent& stored, const std::string& operator_name,
                            v1::ShownEvent& shown) {
  const auto recorded =
      store_.log_operator({unix_ms(), operator_name, "show_payload", stored.event.inbox_id, ""});
  if (!recorded) {
    return fail("not shown, because it could not be recorded: {}", recorded.error().message);
  }
  const auto key_id = blob_key_id(*stored.blob);
  if (!key_id) return tl::make_unexpected(key_id.error());
  const auto key = keys_.find(*key_id);
  if (!key) return tl::make_unexpected(key.error());
  const EventKey& event = stored.event.key;
  const auto plain =
      open_blob(**key, {*stored.event.payload_id, event.tenant, event.provider, event.endpoint},
                *stored.blob);
  if (!plain) return tl::make_unexpected(plain.error());
  if (!shown.mutable_payload()->ParseFromString(*plain)) {
    return fail("the stored payload is not in its form");
  }
  return {};
}

}  // namespace webhook::admin
