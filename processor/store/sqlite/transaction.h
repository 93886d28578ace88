#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_TRANSACTION_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_TRANSACTION_H_

#include "processor/store/sqlite/database.h"
#include "processor/store/sqlite/named_statements.h"

namespace webhook::sqlite {

// One writing transaction; rolled back at the end of its scope unless commit()
// was called and gave no error.
class Transaction {
 public:
  Transaction(Database& database, NamedStatements& statements)
      : database_(database), statements_(statements) {}
  ~Transaction() {
    // Some errors have rolled back already.
    if (database_.in_transaction()) (void)statements_.get("rollback").run();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  StoreResult<void> begin() { return statements_.get("begin").run(); }
  StoreResult<void> commit() { return statements_.get("commit").run(); }

 private:
  Database& database_;
  NamedStatements& statements_;
};

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_TRANSACTION_H_
