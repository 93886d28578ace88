#include "processor/link/admission.h"

namespace webhook::link {

std::optional<Admission::Permit> Admission::admit(size_t bytes) {
  // Add first, look after: two callers can never both take the last place.
  const size_t events = events_.fetch_add(1) + 1;
  const size_t total = bytes_.fetch_add(bytes) + bytes;
  if (events > max_events_ || total > max_bytes_) {
    release(bytes);
    return std::nullopt;
  }
  return Permit(shared_from_this(), bytes);
}

void Admission::release(size_t bytes) {
  events_.fetch_sub(1);
  bytes_.fetch_sub(bytes);
}

}  // namespace webhook::link
