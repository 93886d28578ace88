#ifndef WEBHOOK_PROCESSOR_ACCEPT_PREPARER_H_
#define WEBHOOK_PROCESSOR_ACCEPT_PREPARER_H_

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "ngx_webhook_module/verify/reason.h"
#include "processor/accept/envelope.h"
#include "processor/accept/event_spec.h"
#include "processor/accept/json_fields.h"
#include "processor/crypto/data_keys.h"
#include "processor/crypto/sealed_blob.h"
#include "processor/link/frame.h"
#include "processor/store/store.h"

namespace webhook {

// An event of the link, made into a row of the store: envelope, digest,
// compression, encryption. One per thread.
class Preparer {
 public:
  struct Prepared {
    AcceptRow row;
    uint64_t deadline_ns = 0;
  };

  // Both must outlive this object.
  Preparer(EventSpecCache& specs, DataKeys& keys) : specs_(specs), keys_(keys) {}

  // Or the reason for the answer; last_row() then tells what is known of it.
  tl::expected<Prepared, Reason> prepare(const link::Frame& frame);

  // For the log line of a refusal: what the last prepare() had found out.
  const AcceptRow& last_row() const { return row_; }

 private:
  Reason read_event(const link::Frame& frame);
  Reason fill_row(std::string_view body);
  bool seal(std::string_view body);

  EventSpecCache& specs_;
  DataKeys& keys_;
  JsonFields json_;
  BlobSealer sealer_;
  v1::Event event_;
  AcceptRow row_;
  std::string plaintext_;
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_PREPARER_H_
