// Files that must survive a crash: each is synced together with its directory.
#ifndef WEBHOOK_PROCESSOR_BASE_FILES_H_
#define WEBHOOK_PROCESSOR_BASE_FILES_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "processor/base/result.h"

namespace webhook {

// "." for a bare name.
std::string directory_of(const std::string& path);

// Makes `path` and its missing parents, and syncs every directory that
// received an entry.
Status make_directories(const std::string& path, mode_t mode);

// Without this a new file's name may be gone after a power loss.
Status sync_directory(const std::string& path);

// Fails when the file exists. On success the content and the name are durable.
Status write_new_file(const std::string& path, std::string_view content, mode_t mode);

// Fails when the file is larger than `max_bytes`.
Result<std::string> read_file(const std::string& path, size_t max_bytes);

// errno as text.
std::string last_os_error();

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_FILES_H_
