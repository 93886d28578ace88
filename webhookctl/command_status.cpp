// webhookctl status: how the processor is doing.
#include <map>
#include <string>

#include "webhookctl/admin_client.h"
#include "webhookctl/commands.h"
#include "webhookctl/output.h"
#include "webhookctl/time_text.h"

namespace webhook {
namespace {

// By name, since the map of the message has no order.
std::map<std::string, uint64_t> sorted_rows(const v1::StatusReport& status) {
  return {status.rows_by_status().begin(), status.rows_by_status().end()};
}

Json status_json(const v1::StatusReport& status) {
  Json result = {{"version", status.version()},
                 {"store", status.store()},
                 {"uptime_s", status.uptime_s()},
                 {"events_in_flight", status.events_in_flight()},
                 {"bytes_in_flight", status.bytes_in_flight()},
                 {"accepted", status.accepted()},
                 {"duplicate", status.duplicate()},
                 {"refused", status.refused()},
                 {"unavailable", status.unavailable()},
                 {"rows_by_status", sorted_rows(status)},
                 {"oldest_unprocessed_ms", nullptr}};
  if (status.has_oldest_unprocessed_ms()) {
    result["oldest_unprocessed_ms"] = status.oldest_unprocessed_ms();
  }
  return result;
}

Rows status_rows(const v1::StatusReport& status) {
  Rows rows = {{"version", status.version()},
               {"store", status.store()},
               {"uptime", std::to_string(status.uptime_s()) + "s"},
               {"in flight", std::to_string(status.events_in_flight()) + " events, " +
                                 std::to_string(status.bytes_in_flight()) + " bytes"},
               {"accepted", std::to_string(status.accepted())},
               {"duplicate", std::to_string(status.duplicate())},
               {"refused", std::to_string(status.refused())},
               {"unavailable", std::to_string(status.unavailable())}};
  for (const auto& [name, count] : sorted_rows(status)) {
    rows.emplace_back("rows " + name, std::to_string(count));
  }
  if (status.has_oldest_unprocessed_ms()) {
    rows.emplace_back("oldest unprocessed", rfc3339(status.oldest_unprocessed_ms()));
  }
  return rows;
}

void run(const Context& context) {
  v1::AdminRequest request;
  request.mutable_status();
  const v1::AdminResponse response = ask_processor(context.socket, std::move(request));
  if (context.json) {
    print_json(status_json(response.status()));
  } else {
    print_rows(status_rows(response.status()));
  }
}

}  // namespace

void add_status_command(CLI::App* app, Context* context) {
  CLI::App* command = app->add_subcommand("status", "Show how the processor is doing");
  command->callback([context] { run(*context); });
}

}  // namespace webhook
