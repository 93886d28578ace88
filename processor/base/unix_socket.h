#ifndef WEBHOOK_PROCESSOR_BASE_UNIX_SOCKET_H_
#define WEBHOOK_PROCESSOR_BASE_UNIX_SOCKET_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "processor/base/result.h"
#include "processor/base/unique_fd.h"

namespace webhook {

// A listening stream socket at `path`, never more open than `mode`. A socket
// file that nobody listens on is replaced; one that somebody does is an error.
Result<UniqueFd> listen_unix(const std::string& path, mode_t mode);

// The uid that the kernel vouches for (SO_PEERCRED).
std::optional<uid_t> peer_uid(int socket);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_UNIX_SOCKET_H_
