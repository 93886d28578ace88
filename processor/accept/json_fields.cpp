#include "processor/accept/json_fields.h"

#include <algorithm>
#include <numeric>

namespace webhook {
namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::value;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

size_t count_digits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

// The grammar of RFC 8259. Numbers are never converted, so they have no range.
bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t whole = count_digits(text);
  if (whole == 0 || (whole > 1 && text.front() == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const size_t fraction = count_digits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    const size_t exponent = count_digits(text);
    if (exponent == 0) return false;
    text.remove_prefix(exponent);
  }
  return text.empty();
}

bool is_escape(const char* after_backslash) {
  if (*after_backslash != 'u') {
    return std::string_view("\"\\/bfnrt").find(*after_backslash) != std::string_view::npos;
  }
  return std::all_of(after_backslash + 1, after_backslash + 5, is_hex_digit);
}

// `text` follows the opening quote. That there is a closing one, and that
// control characters are escaped, simdjson has checked before.
bool has_valid_escapes(const char* text) {
  for (; *text != '"'; ++text) {
    if (*text != '\\') continue;
    ++text;
    if (!is_escape(text)) return false;
  }
  return true;
}

// Nothing but blanks follows what was read.
bool is_at_end(simdjson::ondemand::document& document) {
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
}

std::string_view trim_right(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::optional<JsonPointer> parse_json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return std::nullopt;
  JsonPointer pointer;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      pointer.emplace_back();
    } else if (text[i] != '~') {
      pointer.back() += text[i];
    } else {
      const char code = ++i < text.size() ? text[i] : '\0';
      if (code != '0' && code != '1') return std::nullopt;
      pointer.back() += code == '0' ? '~' : '/';
    }
  }
  return pointer;
}

std::optional<std::vector<std::optional<std::string>>> JsonFields::read(
    std::string_view text, std::span<const JsonPointer> pointers) {
  pointers_ = pointers;
  has_escapes_ = text.find('\\') != std::string_view::npos;
  values_.assign(pointers.size(), std::nullopt);
  simdjson::ondemand::document document;
  const simdjson::padded_string_view padded(text.data(), text.size(),
                                            text.size() + simdjson::SIMDJSON_PADDING);
  if (parser_.iterate(padded).get(document)) return std::nullopt;
  value root;
  if (document.get_value().get(root)) return std::nullopt;
  Active active(pointers.size());
  std::iota(active.begin(), active.end(), size_t{0});
  if (!visit(root, 0, active) || !is_at_end(document)) return std::nullopt;
  return std::move(values_);
}

bool JsonFields::visit(value& value, size_t depth, const Active& active) {
  if (depth > kMaxDepth) return false;
  json_type type;
  if (value.type().get(type)) return false;
  switch (type) {
    case json_type::object: return visit_object(value, depth, active);
    case json_type::array: return visit_array(value, depth, active);
    case json_type::string: return visit_string(value, depth, active);
    default: return visit_atom(value, depth, active);
  }
}

bool JsonFields::visit_object(value& value, size_t depth, Active active) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field)) return false;
    if (has_escapes_ && !has_valid_escapes(field.key().raw())) return false;
    std::string_view key;
    const bool is_wanted = !active.empty() && !field.unescaped_key().get(key);
    const Active inside = is_wanted ? descend(active, depth, key) : Active();
    if (!visit(field.value(), depth + 1, inside)) return false;
  }
  return true;
}

bool JsonFields::visit_array(value& value, size_t depth, Active active) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) return false;
  size_t index = 0;
  for (auto result : array) {
    simdjson::ondemand::value element;
    if (std::move(result).get(element)) return false;
    const Active inside = active.empty() ? Active() : descend(active, depth, std::to_string(index));
    if (!visit(element, depth + 1, inside)) return false;
    ++index;
  }
  return true;
}

bool JsonFields::visit_string(value& value, size_t depth, const Active& active) {
  if (has_escapes_ && !has_valid_escapes(value.raw_json_token().data() + 1)) return false;
  // Both take the value in any case: the iteration goes on after it.
  if (active.empty()) return !value.get_raw_json_string().error();
  std::string_view text;
  if (!value.get_string().get(text)) store(text, depth, active);
  return true;
}

bool JsonFields::visit_atom(value& value, size_t depth, const Active& active) {
  const std::string_view text = trim_right(value.raw_json_token());
  if (text == "null") return true;
  if (text != "true" && text != "false" && !is_number(text)) return false;
  store(text, depth, active);
  return true;
}

// Takes the pointers whose next token is `token` out of `active`: a second
// equal key finds them gone.
JsonFields::Active JsonFields::descend(Active& active, size_t depth, std::string_view token) const {
  Active inside;
  std::erase_if(active, [&](size_t index) {
    const JsonPointer& pointer = pointers_[index];
    if (pointer.size() <= depth || pointer[depth] != token) return false;
    inside.push_back(index);
    return true;
  });
  return inside;
}

void JsonFields::store(std::string_view text, size_t depth, const Active& active) {
  for (const size_t index : active) {
    if (pointers_[index].size() == depth) values_[index] = text;
  }
}

}  // namespace webhook
