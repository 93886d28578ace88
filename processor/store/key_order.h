#ifndef WEBHOOK_PROCESSOR_STORE_KEY_ORDER_H_
#define WEBHOOK_PROCESSOR_STORE_KEY_ORDER_H_

#include <span>
#include <vector>

#include "processor/store/store.h"

namespace webhook {

// The indexes of `rows`, by the bytes of their keys. Every writer of every
// process takes keys in this one order: elsewhere than in SQLite it keeps
// overlapping batches from deadlocks, there it keeps a batch's pages together.
// Stable: of two copies in one batch the first stays first.
std::vector<size_t> key_order(std::span<const AcceptRow> rows);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_STORE_KEY_ORDER_H_
