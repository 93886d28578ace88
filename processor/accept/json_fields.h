#ifndef WEBHOOK_PROCESSOR_ACCEPT_JSON_FIELDS_H_
#define WEBHOOK_PROCESSOR_ACCEPT_JSON_FIELDS_H_

#include <simdjson.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webhook {

// A JSON pointer (RFC 6901): its reference tokens, unescaped.
using JsonPointer = std::vector<std::string>;

// Nothing when `text` is no JSON pointer.
std::optional<JsonPointer> parse_json_pointer(std::string_view text);

// Reads scalars out of a JSON text, in one pass that also checks all of it.
// One per thread: it keeps the parser's memory.
class JsonFields {
 public:
  // Deeper nesting is refused.
  static constexpr size_t kMaxDepth = 512;

  // The value at each of `pointers`: strings unescaped, numbers as they are
  // written (so ids of any size stay exact), true and false. Missing: null,
  // objects, arrays, and strings that are no Unicode (a lone surrogate). Of
  // two equal keys the first counts. Nothing when `text` is not one JSON
  // object or array in UTF-8.
  //
  // simdjson::SIMDJSON_PADDING bytes after `text` must be readable.
  std::optional<std::vector<std::optional<std::string>>> read(
      std::string_view text, std::span<const JsonPointer> pointers);

 private:
  // Pointers, by index, that lead into the value at hand.
  using Active = std::vector<size_t>;

  bool visit(simdjson::ondemand::value& value, size_t depth, const Active& active);
  bool visit_object(simdjson::ondemand::value& value, size_t depth, Active active);
  bool visit_array(simdjson::ondemand::value& value, size_t depth, Active active);
  bool visit_string(simdjson::ondemand::value& value, size_t depth, const Active& active);
  bool visit_atom(simdjson::ondemand::value& value, size_t depth, const Active& active);
  Active descend(Active& active, size_t depth, std::string_view token) const;
  void store(std::string_view text, size_t depth, const Active& active);

  simdjson::ondemand::parser parser_;
  std::span<const JsonPointer> pointers_;
  bool has_escapes_ = false;  // a backslash, anywhere in the text
  std::vector<std::optional<std::string>> values_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_JSON_FIELDS_H_
