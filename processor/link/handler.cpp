#include "processor/link/handler.h"

namespace webhook::link {
namespace {

v1::Decision wire_decision(Decision decision) {
  switch (decision) {
    case Decision::kAccepted: return v1::ACCEPTED;
    case Decision::kDuplicate: return v1::DUPLICATE;
    case Decision::kIgnored: return v1::IGNORED;
    case Decision::kHeld: return v1::HELD;
    case Decision::kRefused: return v1::REFUSED;
    case Decision::kUnavailable: return v1::UNAVAILABLE;
    // Made by the edge alone.
    case Decision::kHandshake:
    case Decision::kNone: break;
  }
  return v1::DECISION_UNSPECIFIED;
}

}  // namespace

v1::Answer make_answer(Reason reason) {
  v1::Answer answer;
  v1::Result* result = answer.add_results();
  result->set_decision(wire_decision(reason_decision(reason)));
  result->set_reason(static_cast<uint32_t>(reason));
  return answer;
}

}  // namespace webhook::link
