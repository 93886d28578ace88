#include <curl/curl.h>

#include <cstdlib>
#include <exception>
#include <iostream>

#include "webhookctl/commands.h"
#include "webhookctl/failure.h"

namespace webhook {
namespace {

constexpr int kFailed = 1;
constexpr int kMisused = 2;

int report(const std::exception& error, int code) {
  std::cerr << "webhookctl: " << error.what() << "\n";
  return code;
}

int run(int argc, char** argv) {
  Context context;
  CLI::App app("Looks after webhooks: what was received, and whether it is authentic.",
               "webhookctl");
  app.set_version_flag("--version", WEBHOOK_VERSION);
  app.add_option("--socket", context.socket, "Admin socket of webhook-processor")
      ->capture_default_str();
  app.add_flag("--json", context.json, "Print JSON");
  app.require_subcommand(1);
  app.fallthrough();
  add_status_command(&app, &context);
  add_events_command(&app, &context);
  add_verify_command(&app, &context);
  add_send_command(&app, &context);
  add_providers_command(&app, &context);
  try {
    app.parse(argc, argv);
    if (!std::cout.flush()) throw Failure("cannot write to standard output");
    return context.exit_code;
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return report(error, kMisused);
  } catch (const Misuse& error) {
    return report(error, kMisused);
  } catch (const std::exception& error) {
    return report(error, kFailed);
  }
}

}  // namespace
}  // namespace webhook

int main(int argc, char** argv) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const int code = webhook::run(argc, argv);
  curl_global_cleanup();
  return code;
}
