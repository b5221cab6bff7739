// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "cfiles.h"

#include <unistd.h>

int cfiles_synchronize_file_system(int descriptor) {
  return syncfs(descriptor);
}
