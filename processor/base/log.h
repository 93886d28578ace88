// One JSON object a line on stderr. Never log a payload, a secret, a
// signature or the value of a header.
#ifndef WEBHOOK_PROCESSOR_BASE_LOG_H_
#define WEBHOOK_PROCESSOR_BASE_LOG_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "processor/base/result.h"

namespace webhook {

struct LogField {
  std::string_view name;
  std::variant<std::string_view, int64_t> value;
};

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning", "error" or "off".
Status set_log_level(std::string_view name);

bool log_enabled(LogLevel level);

// Thread-safe. Values may hold any bytes: what is not UTF-8 becomes U+FFFD.
void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

// `text` as the inside of a JSON string, appended to `out`.
void append_json_escaped(std::string& out, std::string_view text);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_LOG_H_
