// Stored events as JSON and as text.
#ifndef WEBHOOK_WEBHOOKCTL_EVENT_OUTPUT_H_
#define WEBHOOK_WEBHOOKCTL_EVENT_OUTPUT_H_

#include "admin.pb.h"
#include "webhookctl/output.h"

namespace webhook {

// Members are named as in admin.proto; a time that is not known is null.
Json event_json(const v1::EventRecord& event);

// As event_json(), and `outbox`: a list of the steps still to be done.
Json shown_event_json(const v1::ShownEvent& shown);

void print_event_table(const v1::EventList& list);

// Without what is empty.
void print_shown_event(const v1::ShownEvent& shown);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_EVENT_OUTPUT_H_
