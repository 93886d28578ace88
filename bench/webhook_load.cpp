// webhook-load: signed events at a steady rate, or as fast as they are
// answered, and how long the answers took. One JSON object on standard output.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "bench/load_run.h"
#include "webhookctl/failure.h"
#include "webhookctl/provider_catalog.h"
#include "webhookctl/secret_file.h"
#include "webhookctl/time_text.h"

namespace webhook::bench {
namespace {

constexpr int kFailed = 1;
constexpr int kMisused = 2;

struct Options {
  std::string url;
  std::string provider;
  std::string secret_file;
  std::string providers = default_provider_folder();
  std::string corpus;
  double rate = 2000;
  size_t connections = 64;
  double duration_s = 10;
  double duplicates = 0;
  bool closed = false;
};

void add_options(CLI::App* app, Options* options) {
  app->add_option("--url", options->url, "http://ADDRESS:PORT/PATH")->required();
  app->add_option("--provider", options->provider, "Whose events")->required();
  app->add_option("--secret-file", options->secret_file, "Secret file of the endpoint")->required();
  app->add_option("--providers", options->providers, "Folder of provider files");
  app->add_option("--corpus", options->corpus, "A payload, or a folder of them")->required();
  app->add_option("--rate", options->rate, "Events a second")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 1e6));
  app->add_option("--connections", options->connections, "Connections, kept open")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  app->add_option("--duration", options->duration_s, "Seconds")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 86400.0));
  app->add_option("--duplicates", options->duplicates, "Share of copies of recent events")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app->add_flag("--closed", options->closed, "No rate: each connection sends when answered")
      ->excludes("--rate");
}

Report load(const Options& options) {
  const ProviderCatalog catalog(options.providers);
  const Provider& provider = catalog.find(options.provider);
  SecretFile secrets(options.secret_file, provider);
  const Target target = parse_target(options.url);
  EventSource events(provider, &secrets.newest_valid(unix_now_ms())->key, target,
                     read_corpus(options.corpus), options.duplicates);
  Schedule schedule(options.closed ? std::nullopt : std::optional(options.rate),
                    options.duration_s);
  return LoadRun(target, options.connections, &schedule, &events).run();
}

int report(const std::exception& error, int code) {
  std::cerr << "webhook-load: " << error.what() << "\n";
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("Sends signed events and measures the answers.", "webhook-load");
  Options options;
  add_options(&app, &options);
  try {
    app.parse(argc, argv);
    std::cout << load(options).json().dump() << std::endl;
    return 0;
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
}  // namespace webhook::bench

int main(int argc, char** argv) {
  return webhook::bench::run(argc, argv);
}
