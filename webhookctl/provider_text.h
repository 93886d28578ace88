// A provider as its file would say it.
#ifndef WEBHOOK_WEBHOOKCTL_PROVIDER_TEXT_H_
#define WEBHOOK_WEBHOOKCTL_PROVIDER_TEXT_H_

#include "ngx_webhook_module/verify/provider.h"
#include "webhookctl/output.h"

namespace webhook {

// Directive and its words, without what the provider does not have.
Rows describe_provider(const Provider& provider);

// "5m 5m", or empty when the provider signs no time.
std::string describe_window(const Provider& provider);

std::string describe_field(const Field& field);

std::string describe_algorithm(const Provider& provider);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_PROVIDER_TEXT_H_
