// webhookctl send: signed test events.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "webhookctl/commands.h"
#include "webhookctl/event_fields.h"
#include "webhookctl/failure.h"
#include "webhookctl/files.h"
#include "webhookctl/http_client.h"
#include "webhookctl/output.h"
#include "webhookctl/provider_catalog.h"
#include "webhookctl/sample_event.h"
#include "webhookctl/secret_file.h"
#include "webhookctl/signer.h"
#include "webhookctl/time_text.h"

namespace webhook {
namespace {

struct SendOptions {
  std::string provider;
  std::string url;
  std::string secret_file;
  std::string providers = default_provider_folder();
  std::string body_file;
  std::string event_id;
  std::string event_type = "webhook.test";
  std::optional<int64_t> timestamp_s;
  uint32_t count = 1;
};

struct Sent {
  std::string event_id;
  std::string event_type;
  HttpAnswer answer;
};

// So that every line has as many words.
std::string word(const std::string& text) {
  return text.empty() ? "-" : printable(text);
}

void print_sent(const Sent& sent, bool json) {
  if (json) {
    print_json({{"status", sent.answer.status},
                {"decision", sent.answer.decision},
                {"event_id", sent.event_id},
                {"event_type", sent.event_type},
                {"ms", sent.answer.ms}});
    return;
  }
  char ms[32];
  std::snprintf(ms, sizeof(ms), "%.1f ms", sent.answer.ms);
  std::cout << sent.answer.status << " " << word(sent.answer.decision) << " " << word(sent.event_id)
            << " " << word(sent.event_type) << " " << ms << "\n";
}

class Sender {
 public:
  explicit Sender(const SendOptions& options)
      : options_(options),
        catalog_(options.providers),
        provider_(catalog_.find(options.provider)),
        secrets_(options.secret_file, provider_),
        signer_(provider_, &secrets_.newest_valid(unix_now_ms())->key),
        client_(options.url) {
    if (!options.body_file.empty()) body_ = read_file(options.body_file, kMaxBodyFile);
  }

  Sent send() {
    SampleEvent event;
    event.event_id = options_.event_id.empty() ? random_event_id() : options_.event_id;
    event.event_type = options_.event_type;
    event.created_at_ms = options_.timestamp_s ? *options_.timestamp_s * 1000 : unix_now_ms();
    event.body = body_;
    EventRequest request = make_request(provider_, event);
    if (!signer_.sign(event.created_at_ms, request.body, &request.headers)) {
      throw Failure("OpenSSL cannot compute the signature");
    }
    return post(request);
  }

 private:
  // Tells the id and type that the other end finds, which those of a body file
  // decide.
  Sent post(const EventRequest& request) {
    const HeaderView headers(request.headers);
    return {read_field(provider_.event_id, headers, request.body).value_or(""),
            read_field(provider_.event_type, headers, request.body).value_or(""),
            client_.post(request.headers, request.body)};
  }

  const SendOptions& options_;
  ProviderCatalog catalog_;
  const Provider& provider_;
  SecretFile secrets_;
  Signer signer_;
  HttpClient client_;
  std::optional<std::string> body_;
};

// 0 when every answer is 2xx.
int run(const SendOptions& options, bool json) {
  Sender sender(options);
  bool all_good = true;
  for (uint32_t i = 0; i < options.count; ++i) {
    const Sent sent = sender.send();
    print_sent(sent, json);
    all_good = all_good && sent.answer.status >= 200 && sent.answer.status < 300;
  }
  return all_good ? 0 : 1;
}

}  // namespace

void add_send_command(CLI::App* app, Context* context) {
  auto options = std::make_shared<SendOptions>();
  CLI::App* command = app->add_subcommand("send", "Send signed test events: exit 0 if all got 2xx");
  command->add_option("provider", options->provider, "Name of the provider")->required();
  command->add_option("--url", options->url, "Where to POST")->required();
  command->add_option("--secret-file", options->secret_file, "Secret file of the endpoint")
      ->required();
  command->add_option("--providers", options->providers, "Folder of provider files")
      ->capture_default_str();
  command->add_option("--body-file", options->body_file,
                      "Send these bytes; - is standard input (default: a JSON test event)");
  command->add_option("--event-id", options->event_id,
                      "Id of every event (default: a random one each)");
  command->add_option("--type", options->event_type, "Type of the event")->capture_default_str();
  command->add_option("--timestamp", options->timestamp_s, "Signed Unix time in seconds (now)")
      ->check(CLI::Range(int64_t{0}, kMaxUnixSeconds));
  command->add_option("--count", options->count, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000000u));
  command->callback([options, context] { context->exit_code = run(*options, context->json); });
}

}  // namespace webhook
