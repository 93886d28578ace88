#ifndef WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_
#define WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_

#include <memory>
#include <string>

#include "processor/base/result.h"
#include "processor/store/store.h"

namespace webhook {

struct StoreOptions {
  std::string dsn = "sqlite:/var/lib/webhook/inbox.db";  // or a libpq URI

  // PostgreSQL: commits in flight; one connection more is for everything else.
  size_t connections = 3;
  // PostgreSQL: off for an engine that does not have SKIP LOCKED.
  bool skip_locked = true;
};

// An error for a DSN that this build cannot open.
Status check_dsn(const std::string& dsn);

// Where the key ring is when nothing says so: beside the embedded store, or in
// /var/lib/webhook.
std::string default_key_ring_path(const std::string& dsn);

// The store that `options` name. The embedded one is made and migrated; of
// PostgreSQL's the schema must be there.
Result<std::unique_ptr<Store>> open_store(const StoreOptions& options);

// To look at it; null when it is still to be made by open_store().
Result<std::unique_ptr<Store>> open_store_read_only(const StoreOptions& options);

// Makes the schema, or brings it up to date.
Status migrate_store(const StoreOptions& options);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_STORE_OPEN_STORE_H_
