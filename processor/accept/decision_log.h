#ifndef WEBHOOK_PROCESSOR_ACCEPT_DECISION_LOG_H_
#define WEBHOOK_PROCESSOR_ACCEPT_DECISION_LOG_H_

#include "ngx_webhook_module/verify/reason.h"
#include "processor/base/uuid.h"
#include "processor/store/store.h"

namespace webhook {

// One line for each answer (R51). `row` holds what is known of the event;
// `inbox_id` is null where nothing is stored.
void log_decision(Reason reason, const AcceptRow& row, const Uuid* inbox_id);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_ACCEPT_DECISION_LOG_H_
