#include "processor/base/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace webhook {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(kKeptBytes));
  mallopt(M_TOP_PAD, static_cast<int>(kLargestHeapPiece));
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargestHeapPiece));
#endif
}

}  // namespace webhook
