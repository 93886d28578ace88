#include "processor/base/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "processor/base/files.h"

namespace webhook {
namespace {

constexpr int kBacklog = 128;

UniqueFd make_socket() {
  return UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool somebody_listens(const sockaddr_un& address) {
  const UniqueFd probe = make_socket();
  return connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ||
         (errno != ECONNREFUSED && errno != ENOENT);
}

Status remove_stale(const std::string& path, const sockaddr_un& address) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return {};
  if (!S_ISSOCK(info.st_mode)) {
    return fail("{} exists and is not a socket", path);
  }
  if (somebody_listens(address)) {
    return fail("{} is in use: another process listens on it", path);
  }
  unlink(path.c_str());
  return {};
}

}  // namespace

Result<UniqueFd> listen_unix(const std::string& path, mode_t mode) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return fail("socket path '{}' must have 1 to {} bytes", path, sizeof(address.sun_path) - 1);
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (auto made = make_directories(directory_of(path), 0755); !made) {
    return tl::make_unexpected(made.error());
  }
  if (auto removed = remove_stale(path, address); !removed) {
    return tl::make_unexpected(removed.error());
  }

  UniqueFd fd = make_socket();
  // Linux gives the socket file the mode of the unbound socket, less the
  // umask: so there is no moment at which it is too open.
  if (!fd || fchmod(fd.get(), mode) != 0 ||
      bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      chmod(path.c_str(), mode) != 0 || listen(fd.get(), kBacklog) != 0) {
    return fail("cannot listen on {}: {}", path, last_os_error());
  }
  return fd;
}

std::optional<uid_t> peer_uid(int socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return std::nullopt;
  }
  return peer.uid;
}

}  // namespace webhook
