// What goes to standard output.
#ifndef WEBHOOK_WEBHOOKCTL_OUTPUT_H_
#define WEBHOOK_WEBHOOKCTL_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webhook {

// Members in the order in which they were added.
using Json = nlohmann::ordered_json;

// On one line.
void print_json(const Json& value);

// Names and values below each other, the values aligned.
using Rows = std::vector<std::pair<std::string, std::string>>;
void print_rows(const Rows& rows);

// `text` without control characters: what came over the network must not be
// able to steer the terminal.
std::string printable(std::string_view text);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_OUTPUT_H_
