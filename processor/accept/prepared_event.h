#ifndef WEBHOOK_PROCESSOR_ACCEPT_PREPARED_EVENT_H_
#define WEBHOOK_PROCESSOR_ACCEPT_PREPARED_EVENT_H_

#include <cstddef>
#include <cstdint>

#include "processor/link/handler.h"
#include "processor/store/store.h"

namespace webhook {

// Whom to answer about a row, and until when it is worth it.
struct Ticket {
  link::Address address;
  link::Admission::Permit permit;
  uint64_t deadline_ns = 0;  // CLOCK_MONOTONIC
};

// An event that is ready to be stored.
struct PreparedEvent {
  Ticket ticket;
  AcceptRow row;

  // What it adds to a batch, near enough.
  size_t bytes() const { return row.blob.size() + 512; }
};

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_PREPARED_EVENT_H_
