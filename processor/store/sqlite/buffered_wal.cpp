#include "processor/store/sqlite/buffered_wal.h"

#include <sqlite3.h>

#include <cstring>
#include <memory>
#include <new>

namespace webhook::sqlite {
namespace {

// SQLite gives the memory, with room for the real file behind it.
class WalFile : public sqlite3_file {
 public:
  static WalFile& of(sqlite3_file* file) { return *static_cast<WalFile*>(file); }

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  // Empty afterwards, also when it fails: the transaction fails with it.
  int flush() {
    const size_t size = used_;
    used_ = 0;
    if (size == 0) return SQLITE_OK;
    return real()->pMethods->xWrite(real(), buffer_.get(), static_cast<int>(size), begin_);
  }

  int write(const void* bytes, size_t size, sqlite3_int64 offset) {
    if (!continues(size, offset)) {
      if (const int code = flush(); code != SQLITE_OK) return code;
      begin_ = offset;
    }
    if (!buffer_ || size > kWalBufferBytes) {
      return real()->pMethods->xWrite(real(), bytes, static_cast<int>(size), offset);
    }
    std::memcpy(buffer_.get() + used_, bytes, size);
    used_ += size;
    return SQLITE_OK;
  }

 private:
  bool continues(size_t size, sqlite3_int64 offset) const {
    return used_ > 0 && offset == begin_ + static_cast<sqlite3_int64>(used_) &&
           used_ + size <= kWalBufferBytes;
  }

  std::unique_ptr<char[]> buffer_{new (std::nothrow) char[kWalBufferBytes]};
  size_t used_ = 0;
  sqlite3_int64 begin_ = 0;  // where the buffer belongs in the file
};

// The real file's method of that name.
template <auto method, typename... Args>
int forward(sqlite3_file* file, Args... args) {
  sqlite3_file* real = WalFile::of(file).real();
  return (real->pMethods->*method)(real, args...);
}

template <auto method, typename... Args>
int after_flush(sqlite3_file* file, Args... args) {
  if (const int code = WalFile::of(file).flush(); code != SQLITE_OK) return code;
  return forward<method>(file, args...);
}

int close(sqlite3_file* file) {
  WalFile& wal = WalFile::of(file);
  const int flushed = wal.flush();
  const int closed = wal.real()->pMethods->xClose(wal.real());
  wal.~WalFile();
  return flushed != SQLITE_OK ? flushed : closed;
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  return WalFile::of(file).write(bytes, static_cast<size_t>(size), offset);
}

constexpr sqlite3_io_methods kWalMethods = {
    .iVersion = 1,
    .xClose = close,
    .xRead = after_flush<&sqlite3_io_methods::xRead>,
    .xWrite = write,
    .xTruncate = after_flush<&sqlite3_io_methods::xTruncate>,
    .xSync = after_flush<&sqlite3_io_methods::xSync>,
    .xFileSize = after_flush<&sqlite3_io_methods::xFileSize>,
    .xLock = after_flush<&sqlite3_io_methods::xLock>,
    .xUnlock = after_flush<&sqlite3_io_methods::xUnlock>,
    .xCheckReservedLock = after_flush<&sqlite3_io_methods::xCheckReservedLock>,
    .xFileControl = after_flush<&sqlite3_io_methods::xFileControl>,
    .xSectorSize = forward<&sqlite3_io_methods::xSectorSize>,
    .xDeviceCharacteristics = forward<&sqlite3_io_methods::xDeviceCharacteristics>,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* real_vfs = sqlite3_vfs_find(nullptr);
  if ((flags & SQLITE_OPEN_WAL) == 0) {
    return real_vfs->xOpen(real_vfs, name, file, flags, out_flags);
  }
  auto* wal = new (file) WalFile();
  const int code = real_vfs->xOpen(real_vfs, name, wal->real(), flags, out_flags);
  wal->pMethods = code == SQLITE_OK ? &kWalMethods : nullptr;
  if (code != SQLITE_OK) wal->~WalFile();
  return code;
}

// A copy keeps what the real one's other methods find in it.
sqlite3_vfs* make_vfs() {
  static sqlite3_vfs vfs;
  const sqlite3_vfs* real = sqlite3_vfs_find(nullptr);
  if (real == nullptr) return nullptr;
  vfs = *real;
  vfs.zName = "webhook-buffered-wal";
  vfs.szOsFile += static_cast<int>(sizeof(WalFile));
  vfs.xOpen = open;
  return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? &vfs : nullptr;
}

}  // namespace

const char* buffered_wal_vfs() {
  static const sqlite3_vfs* const vfs = make_vfs();
  return vfs != nullptr ? vfs->zName : nullptr;
}

}  // namespace webhook::sqlite
