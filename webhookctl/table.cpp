#include "webhookctl/table.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "webhookctl/output.h"

namespace webhook {

Table::Table(std::vector<std::string> titles) {
  rows_.push_back(std::move(titles));
}

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = cell.empty() ? "-" : printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print() const {
  std::vector<size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      std::cout << std::left << std::setw(static_cast<int>(widths[i]) + 2) << row[i];
    }
    std::cout << row.back() << "\n";
  }
}

}  // namespace webhook
