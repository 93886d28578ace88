// Why a request got its answer: the one closed list.
//
// The name is the value of $webhook_reason and of the `reason` label of every
// metric, the number travels in Result.reason, and the decision and the HTTP
// status follow from it. Numbers are never reused.
#ifndef WEBHOOK_VERIFY_REASON_H_
#define WEBHOOK_VERIFY_REASON_H_

#include <stdint.h>

namespace webhook {

enum class Decision : uint8_t {
  kNone,
  kAccepted,
  kDuplicate,
  kIgnored,
  kHeld,
  kHandshake,
  kRefused,
  kUnavailable,
};

// X(number, identifier, "name", decision, HTTP status). Status 0: the success
// status of the provider.
#define WEBHOOK_REASONS(X)                                            \
  X(0, kNone, "none", kNone, 500)                                     \
  /* 2xx */                                                           \
  X(1, kAccepted, "accepted", kAccepted, 0)                           \
  X(2, kDuplicate, "duplicate", kDuplicate, 0)                        \
  X(3, kIgnoredType, "type_not_listed", kIgnored, 0)                  \
  X(4, kHeldLate, "late", kHeld, 0)                                   \
  X(5, kHandshake, "handshake", kHandshake, 0)                        \
  X(6, kReplayed, "replayed", kDuplicate, 0)                          \
  /* refused: what headers decide */                                  \
  X(10, kHttpsRequired, "https_required", kRefused, 403)              \
  X(11, kMethod, "method", kRefused, 405)                             \
  X(12, kContentType, "content_type", kRefused, 415)                  \
  X(13, kContentEncoding, "content_encoding", kRefused, 415)          \
  X(14, kHeaderMalformed, "header_malformed", kRefused, 400)          \
  X(15, kHeaderDoubled, "header_doubled", kRefused, 400)              \
  X(16, kHeaderOversized, "header_oversized", kRefused, 400)          \
  X(17, kSignatureMalformed, "signature_malformed", kRefused, 400)    \
  X(18, kTimestampMalformed, "timestamp_malformed", kRefused, 400)    \
  X(19, kBodyTooLarge, "body_too_large", kRefused, 413)               \
  X(20, kRateLimited, "rate_limited", kRefused, 429)                  \
  X(21, kSignatureMissing, "signature_missing", kRefused, 401)        \
  X(22, kSignatureScheme, "signature_scheme", kRefused, 401)          \
  X(23, kSignedHeaderMissing, "signed_header_missing", kRefused, 401) \
  /* refused: what the body decides */                                \
  X(30, kBodyIncomplete, "body_incomplete", kRefused, 400)            \
  X(31, kSignatureMismatch, "signature_mismatch", kRefused, 401)      \
  X(32, kStale, "stale", kRefused, 401)                               \
  X(33, kFuture, "future", kRefused, 401)                             \
  /* refused: authentic, but no event of this provider */             \
  X(40, kBodyMalformed, "body_malformed", kRefused, 422)              \
  X(41, kEventIdMissing, "event_id_missing", kRefused, 422)           \
  X(42, kFieldMissing, "field_missing", kRefused, 422)                \
  X(43, kFieldInvalid, "field_invalid", kRefused, 422)                \
  /* our own fault: retry later */                                    \
  X(50, kSecretUnavailable, "secret_unavailable", kUnavailable, 503)  \
  X(51, kReadingFull, "reading_full", kUnavailable, 503)              \
  X(52, kInflightFull, "inflight_full", kUnavailable, 503)            \
  X(53, kProcessorDown, "processor_down", kUnavailable, 503)          \
  X(54, kProcessorLost, "processor_lost", kUnavailable, 503)          \
  X(55, kProcessorTimeout, "processor_timeout", kUnavailable, 503)    \
  X(56, kProcessorFull, "processor_full", kUnavailable, 503)          \
  X(57, kProcessorStopping, "processor_stopping", kUnavailable, 503)  \
  X(58, kDeadline, "deadline", kUnavailable, 503)                     \
  X(59, kStoreUnavailable, "store_unavailable", kUnavailable, 503)    \
  X(60, kInternal, "internal", kUnavailable, 503)                     \
  X(61, kRejectedByStore, "rejected_by_store", kUnavailable, 503)

enum class Reason : uint8_t {
#define X(number, identifier, name, decision, status) identifier = number,
  WEBHOOK_REASONS(X)
#undef X
};

constexpr const char* reason_name(Reason reason) {
  switch (reason) {
#define X(number, identifier, name, decision, status) \
  case Reason::identifier: return name;
    WEBHOOK_REASONS(X)
#undef X
  }
  return "none";
}

constexpr Decision reason_decision(Reason reason) {
  switch (reason) {
#define X(number, identifier, name, decision, status) \
  case Reason::identifier: return Decision::decision;
    WEBHOOK_REASONS(X)
#undef X
  }
  return Decision::kNone;
}

// 0 where the provider's own success status applies.
constexpr int reason_status(Reason reason) {
  switch (reason) {
#define X(number, identifier, name, decision, status) \
  case Reason::identifier: return status;
    WEBHOOK_REASONS(X)
#undef X
  }
  return 500;
}

// What a number from the wire means; kInternal for one that is not in the list.
constexpr Reason reason_from_number(uint32_t number) {
  switch (number) {
#define X(number, identifier, name, decision, status) \
  case number: return Reason::identifier;
    WEBHOOK_REASONS(X)
#undef X
  }
  return Reason::kInternal;
}

constexpr const char* decision_name(Decision decision) {
  switch (decision) {
    case Decision::kNone: return "";
    case Decision::kAccepted: return "accepted";
    case Decision::kDuplicate: return "duplicate";
    case Decision::kIgnored: return "ignored";
    case Decision::kHeld: return "held";
    case Decision::kHandshake: return "handshake";
    case Decision::kRefused: return "refused";
    case Decision::kUnavailable: return "unavailable";
  }
  return "";
}

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_REASON_H_
