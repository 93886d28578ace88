#ifndef WEBHOOK_PROCESSOR_ADMIN_SERVICE_H_
#define WEBHOOK_PROCESSOR_ADMIN_SERVICE_H_

#include <sys/types.h>

#include <cstdint>

#include "admin.pb.h"
#include "processor/accept/counters.h"
#include "processor/crypto/data_keys.h"
#include "processor/link/admission.h"
#include "processor/store/store.h"

namespace webhook::admin {

// Answers one request of an operator at a time. Knows no sockets. The
// references must outlive this object.
class Service {
 public:
  Service(Store& store, DataKeys& keys, const Counters& counters, const link::Admission& in_flight);

  // `uid` is what the kernel says of the caller. A payload is only given
  // after that was recorded.
  v1::AdminResponse handle(const v1::AdminRequest& request, uid_t uid);

 private:
  v1::AdminResponse status();
  v1::AdminResponse list(const v1::EventsQuery& query);
  v1::AdminResponse count(const v1::EventsQuery& query);
  v1::AdminResponse show(const v1::ShowEvent& show, const std::string& operator_name);
  Status add_payload(const StoredEvent& stored, const std::string& operator_name,
                     v1::ShownEvent& shown);

  Store& store_;
  DataKeys& keys_;
  const Counters& counters_;
  const link::Admission& in_flight_;
  const uint64_t started_ns_;
};

}  // namespace webhook::admin

#endif  // WEBHOOK_PROCESSOR_ADMIN_SERVICE_H_
