// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "cfiles.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int cfiles_synchronize_file_system(int descriptor) {
  return syncfs(descriptor);
}

int cfiles_rename_to_free(int folder, const char *name, const char *free_name) {
#ifdef RENAME_NOREPLACE
  return renameat2(folder, name, folder, free_name, RENAME_NOREPLACE);
#else
  (void)folder, (void)name, (void)free_name;
  errno = ENOSYS;
  return -1;
#endif
}
