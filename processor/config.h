#ifndef WEBHOOK_PROCESSOR_CONFIG_H_
#define WEBHOOK_PROCESSOR_CONFIG_H_

#include <string>
#include <string_view>

#include "processor/accept/pipeline.h"
#include "processor/base/result.h"
#include "processor/link/server.h"
#include "processor/store/open_store.h"

namespace webhook {

// Everything that can be set, with its default.
struct Config {
  link::ServerOptions link;
  StoreOptions store;
  std::string keys_file;  // empty: default_key_ring_path()
  std::string admin_socket = "/run/webhook/admin.sock";
  std::string log_level = "info";
  PipelineOptions accept;

  Config();
};

// A TOML file. A key that is not known is an error, as is a value of another
// type or out of its bounds; the message names file, line and key.
Result<Config> load_config(const std::string& path);

// `name` is for messages.
Result<Config> parse_config(std::string_view toml, const std::string& name);

// Where the key ring is, by `config`.
Result<std::string> key_ring_path(const Config& config);

// "500ms", "5s", "2m".
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

// "65536", "64KiB", "64MiB", "1GiB".
Result<size_t> parse_size(std::string_view text);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CONFIG_H_
