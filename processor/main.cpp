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

// An unset variable of a shell must not mean the default.
std::string check_not_empty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

void declare(CLI::App& app, Options& options) {
  const auto add = [&app](const char* name, std::string& value, const char* type,
                          const char* what) {
    app.add_option(name, value, what)->type_name(type)->check(check_not_empty);
  };
  app.set_version_flag("--version", WEBHOOK_VERSION);
  add("--config", options.config_file, "FILE", "TOML file");
  add("--store", options.store, "DSN", "where events live: sqlite:PATH or a libpq URI");
  add("--listen", options.listen, "PATH", "socket for NGINX");
  add("--admin", options.admin, "PATH", "socket for webhookctl");
  add("--keys", options.keys, "FILE", "key ring");
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
