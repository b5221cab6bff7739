// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "cfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

int cfiles_synchronize_file_system(int descriptor) {
  return syncfs(descriptor);
}

int cfiles_open_nameless(int folder, unsigned int mode) {
#ifdef O_TMPFILE
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
  (void)folder, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int cfiles_link_to_free(int descriptor, int folder, const char *free_name) {
#ifdef AT_EMPTY_PATH
  // Without a walk through /proc, where the system lets this user do so: root, and from Linux 6.10 on all.
  int result = linkat(descriptor, "", folder, free_name, AT_EMPTY_PATH);
  if (result == 0 || errno == EEXIST) return result;
#endif
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, folder, free_name, AT_SYMLINK_FOLLOW);
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

int cfiles_find_file_system(int descriptor, struct cfiles_file_system *result) {
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return -1;
  result->kind = (uint64_t)status.f_type & 0xFFFFFFFF;
  result->identifier = 0;
  // The parts of an identifier have other names in other C libraries.
  size_t size = sizeof status.f_fsid < sizeof result->identifier ? sizeof status.f_fsid : sizeof result->identifier;
  memcpy(&result->identifier, &status.f_fsid, size);
  return 0;
}

int cfiles_make_memory_file(void) {
  return memfd_create("input", MFD_CLOEXEC);
}

int cfiles_make_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC);
}
