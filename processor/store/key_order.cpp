#include "processor/store/key_order.h"

#include <algorithm>
#include <numeric>

namespace webhook {

std::vector<size_t> key_order(std::span<const AcceptRow> rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [rows](size_t a, size_t b) { return rows[a].key < rows[b].key; });
  return order;
}

}  // namespace webhook
