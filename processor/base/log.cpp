#include "processor/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "processor/base/clock.h"
#include "processor/base/utf8.h"

namespace webhook {
namespace {

std::shared_ptr<spdlog::logger> make_logger() {
  auto logger = std::make_shared<spdlog::logger>("webhook",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%v");
  return logger;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = make_logger();
  return *instance;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::string_view level_name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarning: return "warning";
    case LogLevel::kError: return "error";
  }
  return "error";
}

void append_field(std::string& line, const LogField& field) {
  fmt::format_to(std::back_inserter(line), ",\"{}\":", field.name);
  if (const auto* number = std::get_if<int64_t>(&field.value)) {
    line += std::to_string(*number);
    return;
  }
  line += '"';
  append_json_escaped(line, std::get<std::string_view>(field.value));
  line += '"';
}

void append_escaped_ascii(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7f) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
  } else {
    out += c;
  }
}

}  // namespace

Status set_log_level(std::string_view name) {
  if (name == "debug")
    logger().set_level(spdlog::level::debug);
  else if (name == "info")
    logger().set_level(spdlog::level::info);
  else if (name == "warning")
    logger().set_level(spdlog::level::warn);
  else if (name == "error")
    logger().set_level(spdlog::level::err);
  else if (name == "off")
    logger().set_level(spdlog::level::off);
  else
    return fail("log level '{}' is none of debug, info, warning, error, off", name);
  return {};
}

bool log_enabled(LogLevel level) {
  return logger().should_log(to_spdlog(level));
}

void append_json_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_sequence_length(text);
    if (length == 1) {
      append_escaped_ascii(out, text.front());
    } else if (length == 0) {
      out += "\\ufffd";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!log_enabled(level)) return;
  std::string line =
      fmt::format("{{\"ts_ms\":{},\"level\":\"{}\",\"msg\":\"", unix_ms(), level_name(level));
  append_json_escaped(line, message);
  line += '"';
  for (const LogField& field : fields) append_field(line, field);
  line += '}';
  logger().log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace webhook
