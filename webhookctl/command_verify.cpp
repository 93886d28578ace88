// webhookctl verify: is a request, given as files and options, authentic?
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ngx_webhook_module/verify/verifier.h"
#include "webhookctl/commands.h"
#include "webhookctl/event_fields.h"
#include "webhookctl/failure.h"
#include "webhookctl/files.h"
#include "webhookctl/header_list.h"
#include "webhookctl/output.h"
#include "webhookctl/provider_catalog.h"
#include "webhookctl/secret_file.h"
#include "webhookctl/time_text.h"
#include "webhookctl/whole_body.h"

namespace webhook {
namespace {

struct VerifyOptions {
  std::string provider;
  std::string secret_file;
  std::string providers = default_provider_folder();
  std::optional<int64_t> now_s;
  // No scheme of today signs these two.
  std::string method = "POST";
  std::string url;
  std::vector<std::string> headers;
  std::string body_file;
};

struct Verdict {
  Reason reason = Reason::kNone;
  Claims claims;
  Match match;
};

HeaderList parse_headers(const std::vector<std::string>& lines) {
  HeaderList headers;
  for (std::string_view value : lines) {
    const bool has_colon = value.find(':') != std::string_view::npos;
    const std::string_view name = take_until(&value, ':');
    // Not repeated: it may hold a signature.
    if (!has_colon || name.empty() || name.find_first_of(" \t") != std::string_view::npos) {
      throw Misuse("a --header has no name; write --header 'NAME: VALUE'");
    }
    headers.add(name, trim(value));
  }
  return headers;
}

// The verdict is about authenticity and freshness: a provider signs other
// things than events in the same way (Slack: forms), and who checks by hand
// seldom gives the type.
void warn_of_content(const Provider& provider, Headers headers) {
  const Reason reason = check_content(provider, headers);
  const bool type_given = headers.find("Content-Type") != nullptr;
  if (reason == Reason::kNone || (reason == Reason::kContentType && !type_given)) return;
  std::cerr << "webhookctl: warning: the edge would refuse this request before it looks at the "
               "signature ("
            << reason_name(reason) << ")\n";
}

Verdict judge(const Provider& provider, Headers headers, std::string_view body, SecretSet* secrets,
              int64_t now_ms) {
  Verdict verdict;
  verdict.reason = check_headers(provider, headers, &verdict.claims);
  if (verdict.reason == Reason::kNone) {
    verdict.reason = verify(provider, verdict.claims, headers, WholeBody(body), secrets,
                            provider.tolerance, now_ms, &verdict.match);
  }
  return verdict;
}

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

// As --now is given: in seconds.
Json seconds_of(int64_t unix_ms) {
  if (unix_ms % 1000 == 0) return unix_ms / 1000;
  return static_cast<double>(unix_ms) / 1000;
}

// What the request claims is told only when the signature proves it.
Json describe(const Verdict& verdict, const Provider& provider, Headers headers,
              std::string_view body) {
  Json result = {{"valid", verdict.reason == Reason::kNone},
                 {"reason", reason_name(verdict.reason)},
                 {"event_id", nullptr},
                 {"event_type", nullptr},
                 {"secret_version", nullptr},
                 {"signed_at", nullptr}};
  if (verdict.match.secret == nullptr) return result;
  result["event_id"] = text_or_null(read_field(provider.event_id, headers, body));
  result["event_type"] = text_or_null(read_field(provider.event_type, headers, body));
  result["secret_version"] = verdict.match.secret->version;
  if (provider.signs_time()) result["signed_at"] = seconds_of(verdict.claims.signed_at_ms);
  return result;
}

int run(const VerifyOptions& options) {
  const ProviderCatalog catalog(options.providers);
  const Provider& provider = catalog.find(options.provider);
  SecretFile secrets(options.secret_file, provider);
  const HeaderList headers = parse_headers(options.headers);
  const std::string body =
      options.body_file.empty() ? std::string() : read_file(options.body_file, kMaxBodyFile);
  const int64_t now_ms = options.now_s ? *options.now_s * 1000 : unix_now_ms();

  const HeaderView view(headers);
  warn_of_content(provider, view);
  const Verdict verdict = judge(provider, view, body, secrets.secrets(), now_ms);
  print_json(describe(verdict, provider, view, body));
  return verdict.reason == Reason::kNone ? 0 : 1;
}

}  // namespace

void add_verify_command(CLI::App* app, Context* context) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app->add_subcommand(
      "verify", "Tell whether a request is authentic and fresh: exit 0 it is, 1 it is not");
  command->add_option("provider", options->provider, "Name of the provider")->required();
  command->add_option("--secret-file", options->secret_file, "Secret file of the endpoint")
      ->required();
  command->add_option("--providers", options->providers, "Folder of provider files")
      ->capture_default_str();
  command->add_option("--now", options->now_s, "Judge as of this Unix time, in seconds")
      ->check(CLI::Range(int64_t{0}, kMaxUnixSeconds));
  command->add_option("--method", options->method, "Method of the request")->capture_default_str();
  command->add_option("--url", options->url, "URL of the request");
  command->add_option("--header", options->headers, "A header, as 'NAME: VALUE'; once for each")
      ->allow_extra_args(false);
  command->add_option("--body-file", options->body_file,
                      "The body; - is standard input (default: empty)");
  command->callback([options, context] { context->exit_code = run(*options); });
}

}  // namespace webhook
