// The commands of webhookctl. Each adds itself to `app` and runs while the
// command line is parsed; `context` must outlive that.
#ifndef WEBHOOK_WEBHOOKCTL_COMMANDS_H_
#define WEBHOOK_WEBHOOKCTL_COMMANDS_H_

#include <CLI/CLI.hpp>

#include "webhookctl/context.h"

namespace webhook {

void add_status_command(CLI::App* app, Context* context);
void add_events_command(CLI::App* app, Context* context);
void add_verify_command(CLI::App* app, Context* context);
void add_send_command(CLI::App* app, Context* context);
void add_providers_command(CLI::App* app, Context* context);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_COMMANDS_H_
