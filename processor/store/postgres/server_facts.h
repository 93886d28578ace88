#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_SERVER_FACTS_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_SERVER_FACTS_H_

#include <string>

#include "processor/base/result.h"
#include "processor/store/postgres/rows.h"

namespace webhook::postgres {

// What a connection says of its server: settings as they apply to its role.
struct ServerFacts {
  int version = 0;  // 150018 is 15.18
  int backend_pid = 0;
  std::string fsync;
  std::string full_page_writes;
  std::string synchronous_commit;
  std::string encoding;
  std::string isolation;
  std::string read_only;
  bool in_recovery = false;
  std::string lock_timeout;
};

// Of the statement server_facts.
ServerFacts read_server_facts(const Rows& rows);

// An error where an accepted event could be lost, or an answer be wrong.
Status check_server(const ServerFacts& facts);

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_SERVER_FACTS_H_
