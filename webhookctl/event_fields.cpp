#include "webhookctl/event_fields.h"

#include <map>
#include <vector>

#include "ngx_webhook_module/verify/json_find.h"
#include "webhookctl/heap_arena.h"
#include "webhookctl/whole_body.h"

namespace webhook {
namespace {

static_assert(Field::kMaxChoices * Choice::kMaxParts <= kMaxJsonPointers,
              "one pass over the body finds every part of a field");

// Values of the body by pointer; what is missing is not in it.
using JsonValues = std::map<std::string_view, std::string>;

std::vector<std::string_view> pointers_of(const Field& field) {
  std::vector<std::string_view> pointers;
  for (size_t i = 0; i < field.count; ++i) {
    const Choice& choice = field.choices[i];
    for (size_t k = 0; k < choice.count; ++k) {
      if (choice.parts[k].kind == Source::Kind::kJson) pointers.push_back(choice.parts[k].name);
    }
  }
  return pointers;
}

JsonValues find_json(const std::vector<std::string_view>& pointers, std::string_view body) {
  JsonValues found;
  if (pointers.empty()) return found;
  HeapArena memory;
  std::vector<JsonValue> values(pointers.size());
  if (!json_find(WholeBody(body), pointers.data(), pointers.size(), memory.arena(),
                 values.data())) {
    return found;
  }
  for (size_t i = 0; i < pointers.size(); ++i) {
    if (values[i].present) found.emplace(pointers[i], values[i].text);
  }
  return found;
}

// Empty: missing.
std::string part_value(const Source& source, Headers headers, const JsonValues& json) {
  if (source.kind == Source::Kind::kHeader) return std::string(headers.value(source.name));
  const auto found = json.find(source.name);
  return found == json.end() ? std::string() : found->second;
}

// Empty: missing.
std::string choice_value(const Choice& choice, Headers headers, const JsonValues& json) {
  std::string joined;
  for (size_t i = 0; i < choice.count; ++i) {
    const std::string value = part_value(choice.parts[i], headers, json);
    if (choice.join == Join::kConcat) {
      if (value.empty()) return {};
      joined += std::to_string(value.size()) + ":" + value;
    } else if (!value.empty()) {
      if (!joined.empty()) joined += '.';
      joined += value;
    }
  }
  return joined;
}

}  // namespace

std::optional<std::string> read_field(const Field& field, Headers headers, std::string_view body) {
  const JsonValues json = find_json(pointers_of(field), body);
  for (size_t i = 0; i < field.count; ++i) {
    std::string value = choice_value(field.choices[i], headers, json);
    if (!value.empty()) return value;
  }
  return std::nullopt;
}

}  // namespace webhook
