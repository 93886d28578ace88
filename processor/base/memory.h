#ifndef WEBHOOK_PROCESSOR_BASE_MEMORY_H_
#define WEBHOOK_PROCESSOR_BASE_MEMORY_H_

#include <cstddef>

namespace webhook {

// Freed memory that the process keeps at the end of each heap.
constexpr size_t kKeptBytes = size_t{16} << 20;
// Larger pieces are mapped and unmapped one by one.
constexpr size_t kLargestHeapPiece = size_t{1} << 20;

// Bodies come and go in batches. By default glibc would give their memory back
// after each and take it again, page by page. Call before the first thread.
void keep_freed_memory();

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_MEMORY_H_
