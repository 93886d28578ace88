#include "webhookctl/header_list.h"

#include <algorithm>

namespace webhook {
namespace {

auto is_named(std::string_view name) {
  return [name](const OwnedHeader& header) { return equal_ignoring_case(header.name, name); };
}

}  // namespace

void HeaderList::add(std::string_view name, std::string_view value) {
  headers_.push_back({std::string(name), std::string(value)});
}

void HeaderList::set(std::string_view name, std::string_view value) {
  const auto found = std::find_if(headers_.begin(), headers_.end(), is_named(name));
  if (found == headers_.end()) {
    add(name, value);
  } else {
    found->value = value;
  }
}

bool HeaderList::has(std::string_view name) const {
  return std::any_of(headers_.begin(), headers_.end(), is_named(name));
}

HeaderView::HeaderView(const HeaderList& list) {
  for (const OwnedHeader& header : list.all()) fields_.push_back({header.name, header.value});
}

}  // namespace webhook
