// webhookctl events: what is stored.
#include <iostream>
#include <memory>
#include <string>

#include "webhookctl/admin_client.h"
#include "webhookctl/commands.h"
#include "webhookctl/event_output.h"
#include "webhookctl/failure.h"
#include "webhookctl/time_text.h"

namespace webhook {
namespace {

struct Filters {
  std::string tenant;
  std::string provider;
  std::string event_type;
  std::string status;
  std::string event_id;
  std::string since;
  uint32_t limit = 0;  // 0: the processor's default
};

struct ShowOptions {
  std::string inbox_id;
  bool raw = false;
};

v1::EventsQuery query_of(const Filters& filters) {
  v1::EventsQuery query;
  query.set_tenant(filters.tenant);
  query.set_provider(filters.provider);
  query.set_event_type(filters.event_type);
  query.set_status(filters.status);
  query.set_event_id(filters.event_id);
  query.set_limit(filters.limit);
  int64_t since_ms = 0;
  if (!filters.since.empty() && !parse_since(filters.since, unix_now_ms(), &since_ms)) {
    throw Misuse("--since " + filters.since +
                 " is no time; write one like 2026-12-01T00:00:00Z, or how long ago, as 2h");
  }
  query.set_since_ms(since_ms);
  return query;
}

void list_events(const Filters& filters, const Context& context) {
  v1::AdminRequest request;
  *request.mutable_list_events() = query_of(filters);
  const v1::AdminResponse response = ask_processor(context.socket, std::move(request));
  const v1::EventList& list = response.events();
  if (context.json) {
    Json events = Json::array();
    for (const v1::EventRecord& event : list.events()) events.push_back(event_json(event));
    print_json(events);
  } else {
    print_event_table(list);
  }
  if (list.more())
    std::cerr << "webhookctl: there are more; narrow the filters or raise --limit, up to 1000\n";
}

void count_events(const Filters& filters, const Context& context) {
  v1::AdminRequest request;
  *request.mutable_count_events() = query_of(filters);
  const v1::AdminResponse response = ask_processor(context.socket, std::move(request));
  if (context.json) {
    print_json({{"count", response.count()}});
  } else {
    std::cout << response.count() << "\n";
  }
}

void show_event(const ShowOptions& options, const Context& context) {
  v1::AdminRequest request;
  request.mutable_show_event()->set_inbox_id(options.inbox_id);
  request.mutable_show_event()->set_raw(options.raw);
  const v1::AdminResponse response = ask_processor(context.socket, std::move(request));
  const v1::ShownEvent& shown = response.event();
  if (options.raw) {
    if (!shown.has_payload()) throw Failure("the payload of this event is no longer kept");
    std::cout << shown.payload().body();
  } else if (context.json) {
    print_json(shown_event_json(shown));
  } else {
    print_shown_event(shown);
  }
}

void add_filters(CLI::App* command, Filters* filters) {
  command->add_option("--tenant", filters->tenant, "Only of this tenant");
  command->add_option("--provider", filters->provider, "Only of this provider");
  command->add_option("--type", filters->event_type, "Only of this type");
  command->add_option("--status", filters->status, "Only in this status")
      ->transform(CLI::IsMember({"RECEIVED", "PROCESSED", "FAILED", "HELD", "IGNORED", "DISCARDED"},
                                CLI::ignore_case));
  command->add_option("--event-id", filters->event_id, "Only with the provider's id");
  command->add_option("--since", filters->since,
                      "Only received since a time (RFC 3339), or so long ago (2h)");
}

void add_show(CLI::App* events, Context* context) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* show = events->add_subcommand(
      "show", "Show one event; with --raw its payload, and the reading of it is recorded");
  show->add_option("id", options->inbox_id, "Inbox id of the event")->required();
  show->add_flag("--raw", options->raw, "Write the body as it was received, and nothing else");
  show->callback([options, context] { show_event(*options, *context); });
}

}  // namespace

void add_events_command(CLI::App* app, Context* context) {
  CLI::App* events = app->add_subcommand("events", "Look at what is stored");
  events->require_subcommand(1);
  auto filters = std::make_shared<Filters>();

  CLI::App* list = events->add_subcommand("list", "List events, newest first");
  add_filters(list, filters.get());
  list->add_option("--limit", filters->limit, "At most so many (default: 50)")
      ->check(CLI::Range(1u, 1000u));
  list->callback([filters, context] { list_events(*filters, *context); });

  CLI::App* count = events->add_subcommand("count", "Count events");
  add_filters(count, filters.get());
  count->callback([filters, context] { count_events(*filters, *context); });

  add_show(events, context);
}

}  // namespace webhook
