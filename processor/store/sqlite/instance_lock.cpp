#include "processor/store/sqlite/instance_lock.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "processor/base/files.h"

namespace webhook::sqlite {
namespace {

constexpr unsigned long kCifs = 0xff534d42;  // not in linux/magic.h of 6.1

const char* unfit_file_system(unsigned long magic) {
  switch (magic) {
    case NFS_SUPER_MAGIC: return "NFS";
    case SMB_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
    case kCifs: return "CIFS";
    case V9FS_MAGIC: return "9p";
    case AFS_SUPER_MAGIC: return "AFS";
    default: return nullptr;
  }
}

}  // namespace

Result<UniqueFd> lock_instance(const std::string& database_path) {
  UniqueFd fd(open(database_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
  if (!fd) return fail("cannot open {}: {}", database_path, last_os_error());
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail("store {} is in use by another webhook-processor", database_path);
  }
  return fd;
}

bool is_in_place(const UniqueFd& lock, const std::string& database_path) {
  struct stat locked {};
  struct stat named {};
  return fstat(lock.get(), &locked) == 0 && stat(database_path.c_str(), &named) == 0 &&
         locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

Status check_file_system(const std::string& directory) {
  struct statfs info {};
  if (statfs(directory.c_str(), &info) != 0) {
    return fail("cannot look at {}: {}", directory, last_os_error());
  }
  const char* const unfit = unfit_file_system(static_cast<unsigned long>(info.f_type) & 0xffffffff);
  if (unfit == nullptr) return {};
  return fail("{} is on {}: the embedded store needs a local file system", directory, unfit);
}

}  // namespace webhook::sqlite
