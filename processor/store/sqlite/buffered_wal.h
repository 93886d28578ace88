#ifndef WEBHOOK_PROCESSOR_STORE_SQLITE_BUFFERED_WAL_H_
#define WEBHOOK_PROCESSOR_STORE_SQLITE_BUFFERED_WAL_H_

#include <cstddef>

namespace webhook::sqlite {

// SQLite writes a WAL page by page, each in two calls of the system, which for a
// batch is a quarter of what the writer does. Its own VFS takes no more than
// this at once: a page of the largest size.
constexpr size_t kWalBufferBytes = size_t{64} << 10;

// Name of a VFS like the default one, but for the WAL: consecutive writes to it
// are collected in kWalBufferBytes and go out before anything else is done to
// the file. With synchronous=FULL a commit syncs before other connections may
// look for it, so that they never miss what is still in the buffer; the VFS must
// not be used with less. Registers on first use; nullptr when SQLite has no VFS.
const char* buffered_wal_vfs();

}  // namespace webhook::sqlite

#endif  // WEBHOOK_PROCESSOR_STORE_SQLITE_BUFFERED_WAL_H_
