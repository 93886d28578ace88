#ifndef WEBHOOK_PROCESSOR_PROCESSOR_H_
#define WEBHOOK_PROCESSOR_PROCESSOR_H_

#include "processor/base/result.h"
#include "processor/config.h"

namespace webhook {

// Serves until SIGTERM or SIGINT, then answers what it has taken and returns.
// An error: it could not start, or the store failed for good.
Status run_processor(const Config& config);

// Looks at configuration, store and key ring and changes nothing.
Status check_processor(const Config& config);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_PROCESSOR_H_
