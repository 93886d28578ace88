#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "processor/base/log.h"
#include "processor/base/memory.h"
#include "processor/config.h"
#include "processor/processor.h"

namespace {

using webhook::Config;
using webhook::Result;
using webhook::Status;

struct Options {
  std::string config_file;
  std::string store;
  std::string listen;
  std::string admin;
  std::string keys;
  bool check = false;
  bool migrate = false;
};

void declare(CLI::App& app, Options& options) {
  app.set_version_flag("--version", WEBHOOK_VERSION);
  app.add_option("--config", options.config_file, "TOML file")->type_name("FILE");
  app.add_option("--store", options.store, "where events live: sqlite:PATH or a libpq URI")
      ->type_name("DSN");
  app.add_option("--listen", options.listen, "socket for NGINX")->type_name("PATH");
  app.add_option("--admin", options.admin, "socket for webhookctl")->type_name("PATH");
  app.add_option("--keys", options.keys, "key ring")->type_name("FILE");
  app.add_flag("--check", options.check, "look at configuration, store and keys, and exit");
  app.add_flag("--migrate", options.migrate, "bring the store's schema up to date, and exit");
}

// The command line has the last word.
Result<Config> make_config(const Options& options) {
  Result<Config> config =
      options.config_file.empty() ? Config() : webhook::load_config(options.config_file);
  if (!config) return config;
  if (!options.store.empty()) config->store.dsn = options.store;
  if (!options.listen.empty()) config->link.path = options.listen;
  if (!options.admin.empty()) config->admin_socket = options.admin;
  if (!options.keys.empty()) config->keys_file = options.keys;
  return config;
}

Status run(const Options& options) {
  const Result<Config> config = make_config(options);
  if (!config) return tl::make_unexpected(config.error());
  if (auto set = webhook::set_log_level(config->log_level); !set) return set;
  if (!options.check && !options.migrate) return run_processor(*config);
  Status done = options.check ? check_processor(*config) : webhook::migrate_store(config->store);
  if (done) std::puts("ok");
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Stores the webhook events that NGINX has verified.", "webhook-processor");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  webhook::keep_freed_memory();
  try {
    const Status status = run(options);
    if (status) return 0;
    std::fprintf(stderr, "webhook-processor: %s\n", status.error().message.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "webhook-processor: %s\n", error.what());
  }
  return 1;
}
