#include "webhookctl/output.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <iostream>

namespace webhook {

void print_json(const Json& value) {
  std::cout << value.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

void print_rows(const Rows& rows) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  for (const auto& [name, value] : rows) {
    std::cout << std::left << std::setw(static_cast<int>(width) + 2) << name << printable(value)
              << "\n";
  }
}

std::string printable(std::string_view text) {
  std::string clean;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    // U+0080 to U+009F are control characters as well.
    const bool c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    if (byte >= 0x20 && byte != 0x7f && !c1) {
      clean += text[i];
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof(escaped), "\\x%02x", c1 ? next : byte);
    clean += escaped;
    if (c1) ++i;
  }
  return clean;
}

}  // namespace webhook
