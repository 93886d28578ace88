#include "webhookctl/event_output.h"

#include <iostream>

#include "webhookctl/table.h"
#include "webhookctl/time_text.h"

namespace webhook {
namespace {

Json outbox_json(const v1::OutboxRecord& row) {
  return {{"step", row.step()},
          {"next_at_ms", row.next_at_ms()},
          {"attempt", row.attempt()},
          {"last_error", row.last_error()}};
}

Rows event_rows(const v1::EventRecord& event) {
  Rows rows = {{"inbox id", event.inbox_id()},
               {"status", event.status()},
               {"tenant", event.tenant()},
               {"provider", event.provider()},
               {"endpoint", event.endpoint()},
               {"event id", event.event_id()},
               {"event type", event.event_type()},
               {"account", event.account()},
               {"object id", event.object_id()},
               {"object version", event.object_version()},
               {"created", event.has_created_at_ms() ? rfc3339(event.created_at_ms()) : ""},
               {"signed", event.has_signed_at_ms() ? rfc3339(event.signed_at_ms()) : ""},
               {"received", rfc3339(event.received_at_ms())},
               {"secret version", event.secret_version()},
               {"request id", event.request_id()},
               {"body", std::to_string(event.body_bytes()) + " bytes"},
               {"steps left", std::to_string(event.steps_left())},
               {"generation", std::to_string(event.generation())},
               {"diagnosis", event.diagnosis()}};
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  return rows;
}

}  // namespace

Json event_json(const v1::EventRecord& event) {
  Json result = {{"inbox_id", event.inbox_id()},
                 {"tenant", event.tenant()},
                 {"provider", event.provider()},
                 {"endpoint", event.endpoint()},
                 {"event_id", event.event_id()},
                 {"event_type", event.event_type()},
                 {"account", event.account()},
                 {"object_id", event.object_id()},
                 {"object_version", event.object_version()},
                 {"created_at_ms", nullptr},
                 {"signed_at_ms", nullptr},
                 {"received_at_ms", event.received_at_ms()},
                 {"secret_version", event.secret_version()},
                 {"request_id", event.request_id()},
                 {"status", event.status()},
                 {"steps_left", event.steps_left()},
                 {"generation", event.generation()},
                 {"diagnosis", event.diagnosis()},
                 {"body_bytes", event.body_bytes()}};
  if (event.has_created_at_ms()) result["created_at_ms"] = event.created_at_ms();
  if (event.has_signed_at_ms()) result["signed_at_ms"] = event.signed_at_ms();
  return result;
}

Json shown_event_json(const v1::ShownEvent& shown) {
  Json result = event_json(shown.record());
  result["outbox"] = Json::array();
  for (const v1::OutboxRecord& row : shown.outbox()) result["outbox"].push_back(outbox_json(row));
  return result;
}

void print_event_table(const v1::EventList& list) {
  Table table(
      {"RECEIVED", "STATUS", "TENANT", "PROVIDER", "ENDPOINT", "TYPE", "EVENT ID", "INBOX ID"});
  for (const v1::EventRecord& event : list.events()) {
    table.add({rfc3339(event.received_at_ms()), event.status(), event.tenant(), event.provider(),
               event.endpoint(), event.event_type(), event.event_id(), event.inbox_id()});
  }
  table.print();
}

void print_shown_event(const v1::ShownEvent& shown) {
  print_rows(event_rows(shown.record()));
  if (shown.outbox().empty()) return;
  std::cout << "\n";
  Table table({"STEP", "NEXT AT", "ATTEMPT", "LAST ERROR"});
  for (const v1::OutboxRecord& row : shown.outbox()) {
    table.add(
        {row.step(), rfc3339(row.next_at_ms()), std::to_string(row.attempt()), row.last_error()});
  }
  table.print();
}

}  // namespace webhook
