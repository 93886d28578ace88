// Files that the command line names.
#ifndef WEBHOOK_WEBHOOKCTL_FILES_H_
#define WEBHOOK_WEBHOOKCTL_FILES_H_

#include <cstddef>
#include <string>

namespace webhook {

// More than any edge accepts.
constexpr size_t kMaxBodyFile = 64 * 1024 * 1024;

// The whole file; "-" is standard input. Throws Misuse when it cannot be read
// or is larger than `max_bytes`.
std::string read_file(const std::string& path, size_t max_bytes);

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_FILES_H_
