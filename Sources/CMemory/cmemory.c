// SPDX-License-Identifier: Apache-2.0

#include "cmemory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cmemory_share_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

void cmemory_return_large_blocks(void) {
#ifdef __GLIBC__
  // A fixed threshold, which the library does not raise after each large block that is freed.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}
