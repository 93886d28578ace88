#include "processor/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "processor/base/unique_fd.h"

namespace webhook {
namespace {

Status write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail("cannot write {}: {}", path, last_os_error());
    content.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

std::string last_os_error() {
  return std::generic_category().message(errno);
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status sync_directory(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || fsync(fd.get()) != 0) {
    return fail("cannot sync directory {}: {}", path, last_os_error());
  }
  return {};
}

Status make_directories(const std::string& path, mode_t mode) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return {};
    return fail("{} is not a directory", path);
  }
  const std::string parent = directory_of(path);
  if (auto made = make_directories(parent, mode); !made) return made;
  if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) {
    return fail("cannot make directory {}: {}", path, last_os_error());
  }
  return sync_directory(parent);
}

// Written aside and then named: a file that is half there would stop every
// later start.
Status write_new_file(const std::string& path, std::string_view content, mode_t mode) {
  const std::string aside = path + ".new";
  unlink(aside.c_str());
  const UniqueFd fd(open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd) return fail("cannot create {}: {}", aside, last_os_error());
  auto written = write_all(fd.get(), content, aside);
  if (written && fsync(fd.get()) != 0) {
    written = fail("cannot sync {}: {}", aside, last_os_error());
  }
  if (written && link(aside.c_str(), path.c_str()) != 0) {
    written = fail("cannot create {}: {}", path, last_os_error());
  }
  unlink(aside.c_str());
  return written ? sync_directory(directory_of(path)) : written;
}

Result<std::string> read_file(const std::string& path, size_t max_bytes) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail("cannot open {}: {}", path, last_os_error());
  std::string content;
  char chunk[4096];
  for (;;) {
    const ssize_t got = read(fd.get(), chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("cannot read {}: {}", path, last_os_error());
    if (got == 0) return content;
    content.append(chunk, static_cast<size_t>(got));
    if (content.size() > max_bytes) {
      return fail("{} is larger than {} bytes", path, max_bytes);
    }
  }
}

}  // namespace webhook
