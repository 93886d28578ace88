#include "processor/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "processor/base/files.h"
#include "processor/link/protocol.h"
#include "processor/store/open_store.h"

namespace webhook {
namespace {

constexpr size_t kMaxConfigBytes = size_t{1} << 20;

// Takes one value into the configuration.
using Setter = std::function<Status(const toml::node& value)>;
using Section = std::map<std::string_view, Setter>;

struct Unit {
  std::string_view name;
  uint64_t factor;
};

// A whole number and one of `units`.
std::optional<uint64_t> parse_quantity(std::string_view text, std::initializer_list<Unit> units) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || number > UINT32_MAX) return std::nullopt;
  const std::string_view name(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  for (const Unit& unit : units) {
    if (unit.name == name) return number * unit.factor;
  }
  return std::nullopt;
}

Setter text_setter(std::string& target) {
  return [&target](const toml::node& value) -> Status {
    const auto text = value.value_exact<std::string>();
    if (!text || text->empty()) return fail("must be a text in quotes");
    target = *text;
    return {};
  };
}

Setter flag_setter(bool& target) {
  return [&target](const toml::node& value) -> Status {
    const auto flag = value.value_exact<bool>();
    if (!flag) return fail("must be true or false");
    target = *flag;
    return {};
  };
}

Setter number_setter(size_t& target, size_t least, size_t most) {
  return [&target, least, most](const toml::node& value) -> Status {
    const auto number = value.value_exact<int64_t>();
    if (!number || *number < static_cast<int64_t>(least) || *number > static_cast<int64_t>(most)) {
      return fail("must be a whole number from {} to {}", least, most);
    }
    target = static_cast<size_t>(*number);
    return {};
  };
}

Setter size_setter(size_t& target, size_t least, size_t most) {
  return [&target, least, most](const toml::node& value) -> Status {
    std::string text;
    if (const auto number = value.value_exact<int64_t>()) {
      text = std::to_string(*number);
    } else {
      text = value.value_exact<std::string>().value_or("");
    }
    const auto size = parse_size(text);
    if (!size || *size < least || *size > most) {
      return fail("must be a size from {} to {} bytes, such as \"1MiB\"", least, most);
    }
    target = *size;
    return {};
  };
}

Setter duration_setter(std::chrono::milliseconds& target) {
  return [&target](const toml::node& value) -> Status {
    const auto text = value.value_exact<std::string>();
    const auto duration = parse_duration(text.value_or(""));
    if (!duration) return fail("must be a time such as \"5s\" or \"500ms\"");
    target = *duration;
    return {};
  };
}

Status set_uids(const toml::node& value, std::vector<uid_t>& uids) {
  const toml::array* array = value.as_array();
  if (array == nullptr) return fail("must be an array of user ids");
  uids.clear();
  for (const toml::node& element : *array) {
    const auto uid = element.value_exact<int64_t>();
    if (!uid || *uid < 0 || *uid >= UINT32_MAX) {
      return fail("must be an array of user ids");
    }
    uids.push_back(static_cast<uid_t>(*uid));
  }
  return {};
}

Status set_level(const toml::node& value, std::string& level) {
  constexpr std::string_view kLevels[] = {"debug", "info", "warning", "error", "off"};
  const auto text = value.value_exact<std::string>();
  if (!text || std::find(std::begin(kLevels), std::end(kLevels), *text) == std::end(kLevels)) {
    return fail("must be one of {}", fmt::join(kLevels, ", "));
  }
  level = *text;
  return {};
}

std::map<std::string_view, Section> settings_of(Config& config) {
  auto& link = config.link;
  auto& accept = config.accept;
  return {{"link",
           {{"socket", text_setter(link.path)},
            {"allow_uids",
             [&link](const toml::node& value) { return set_uids(value, link.allow_uids); }},
            {"max_events", number_setter(link.max_events, 1, 1'000'000)},
            {"max_bytes", size_setter(link.max_bytes, 64 << 10, size_t{16} << 30)},
            {"drain_timeout", duration_setter(link.drain_timeout)}}},
          {"store",
           {{"dsn", text_setter(config.store.dsn)},
            {"connections", number_setter(config.store.connections, 1, 16)},
            {"skip_locked", flag_setter(config.store.skip_locked)}}},
          {"keys", {{"file", text_setter(config.keys_file)}}},
          {"admin", {{"socket", text_setter(config.admin_socket)}}},
          {"log",
           {{"level",
             [&config](const toml::node& value) { return set_level(value, config.log_level); }}}},
          {"accept",
           {{"threads", number_setter(accept.threads, 1, 64)},
            {"batch_rows", number_setter(accept.batch.rows, 1, 10'000)},
            {"batch_bytes", size_setter(accept.batch.bytes, 4 << 10, size_t{64} << 20)}}}};
}

template <typename Map>
std::string known_names(const Map& map) {
  std::string names;
  for (const auto& [name, unused] : map) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

// Walks the file and hands each value to its setter.
class Reader {
 public:
  Reader(Config& config, const std::string& name) : settings_(settings_of(config)), name_(name) {}

  Status read(const toml::table& file) {
    for (const auto& [key, node] : file) {
      const auto section = settings_.find(key.str());
      if (section == settings_.end()) {
        return fail("{}: unknown section [{}]; known: {}", where(node), key.str(),
                    known_names(settings_));
      }
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        return fail("{}: '{}' must be a section", where(node), key.str());
      }
      auto set = read_section(key.str(), section->second, *table);
      if (!set) return set;
    }
    return {};
  }

 private:
  std::string where(const toml::node& node) const {
    return fmt::format("{}:{}", name_, node.source().begin.line);
  }

  Status read_section(std::string_view name, const Section& section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const auto setter = section.find(key.str());
      if (setter == section.end()) {
        return fail("{}: unknown key '{}' in [{}]; known: {}", where(node), key.str(), name,
                    known_names(section));
      }
      if (const auto set = setter->second(node); !set) {
        return fail("{}: {}.{} {}", where(node), name, key.str(), set.error().message);
      }
    }
    return {};
  }

  const std::map<std::string_view, Section> settings_;
  const std::string& name_;
};

}  // namespace

Config::Config() {
  accept.threads = std::max(1U, std::thread::hardware_concurrency() / 2);
}

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto ms = parse_quantity(text, {{"ms", 1}, {"s", 1000}, {"m", 60'000}});
  if (!ms) return fail("'{}' is no time such as 5s or 500ms", text);
  return std::chrono::milliseconds(*ms);
}

Result<size_t> parse_size(std::string_view text) {
  const auto size =
      parse_quantity(text, {{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}});
  if (!size) return fail("'{}' is no size such as 64MiB", text);
  return *size;
}

Result<Config> parse_config(std::string_view toml, const std::string& name) {
  Config config;
  try {
    const toml::table file = toml::parse(toml, name);
    if (auto read = Reader(config, name).read(file); !read) {
      return tl::make_unexpected(read.error());
    }
  } catch (const toml::parse_error& error) {
    return fail("{}:{}: {}", name, error.source().begin.line, error.description());
  }
  return config;
}

Result<Config> load_config(const std::string& path) {
  const auto text = read_file(path, kMaxConfigBytes);
  if (!text) return tl::make_unexpected(text.error());
  return parse_config(*text, path);
}

Result<std::string> key_ring_path(const Config& config) {
  if (!config.keys_file.empty()) return config.keys_file;
  if (auto known = check_dsn(config.store.dsn); !known) return tl::make_unexpected(known.error());
  return default_key_ring_path(config.store.dsn);
}

}  // namespace webhook
