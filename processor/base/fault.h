// Points at which a test can make the processor die, stop or fail. Compiled
// to nothing unless WEBHOOK_FAULT_POINTS is defined.
//
// Armed by the environment: WEBHOOK_FAULT=POINT:kill|stop|error[:after=N].
// The fault happens once, at the hit that follows N earlier ones (0).
#ifndef WEBHOOK_PROCESSOR_BASE_FAULT_H_
#define WEBHOOK_PROCESSOR_BASE_FAULT_H_

namespace webhook {

// X(point): every point there is.
#define WEBHOOK_FAULT_POINT_LIST(X)                                      \
  X(after_frame_read)  /* an event was read, nothing was done with it */ \
  X(before_commit)     /* the rows are written, not committed */         \
  X(after_commit)      /* durable, and nobody was told */                \
  X(after_answer)      /* the answer left for the edge */                \
  X(before_checkpoint) /* the WAL is about to be copied to the file */   \
  X(before_migration)  /* a migration is about to be applied */

enum class FaultPoint {
#define X(point) point,
  WEBHOOK_FAULT_POINT_LIST(X)
#undef X
};

#ifdef WEBHOOK_FAULT_POINTS
// True: the caller must act as if this step had failed. Thread-safe.
bool fault(FaultPoint point);
#else
constexpr bool fault(FaultPoint) {
  return false;
}
#endif

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_FAULT_H_
