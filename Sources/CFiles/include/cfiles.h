// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>

// What the C library has beyond its standard, and Swift's module of it therefore lacks.

/// Makes durable what was written to the file system of an open file; -1 and an error number if not.
int cfiles_synchronize_file_system(int descriptor);

/// Makes a file without a name, to be read and written, in the file system of a folder; -1 and an error
/// number where there are no such files.
int cfiles_open_nameless(int folder, unsigned int mode);

/// Gives an open file a name in a folder that nothing has; -1 and EEXIST if something has it, and another
/// error where the system cannot do it and /proc is not there to do it by.
int cfiles_link_to_free(int descriptor, int folder, const char *free_name);

/// Gives a file of a folder another name that nothing has, in one step; -1 and EEXIST if something has
/// it, and an error that says so where the system or the file system cannot do that.
int cfiles_rename_to_free(int folder, const char *name, const char *free_name);

/// The kind and the identifier of the file system of an open file.
struct cfiles_file_system {
  uint64_t kind;
  uint64_t identifier;
};

/// Finds out on which file system an open file is; -1 and an error number if the system does not say.
int cfiles_find_file_system(int descriptor, struct cfiles_file_system *result);
