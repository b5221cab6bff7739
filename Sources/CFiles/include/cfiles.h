// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// Functions beyond the C standard, which Swift's module of the C library does not contain.

/// Makes all data in the file system of an open file durable; -1 and an error number on failure.
int cfiles_synchronize_file_system(int descriptor);

/// Creates a nameless file for reading and writing in the file system of a folder; -1 and an error
/// number if that is not supported.
int cfiles_open_nameless(int folder, unsigned int mode);

/// Links an open file to a free name in a folder; -1 and EEXIST if the name is taken, or another error
/// if the system does not support it and /proc is not available.
int cfiles_link_to_free(int descriptor, int folder, const char *free_name);

/// Renames a file in a folder to a free name atomically; -1 and EEXIST if the name is taken, or another
/// error if the system or the file system does not support it.
int cfiles_rename_to_free(int folder, const char *name, const char *free_name);

/// The kind and the identifier of the file system of an open file.
struct cfiles_file_system {
  uint64_t kind;
  uint64_t identifier;
};

/// Finds the file system of an open file; -1 and an error number on failure.
int cfiles_find_file_system(int descriptor, struct cfiles_file_system *result);

/// Makes a nameless file in memory, which programs that this process starts do not inherit; -1 and an
/// error number on failure.
int cfiles_make_memory_file(void);

/// Makes a pipe, which programs that this process starts do not inherit: the reading and the writing
/// end; -1 and an error number on failure.
int cfiles_make_pipe(int ends[2]);

/// Opens a descriptor that becomes ready when the wall clock is set and when the machine resumes from
/// suspend; -1 and an error number on failure.
int cfiles_open_clock_watch(void);

/// Takes the notice of a ready clock watch, and waits for the next one; -1 and an error number on
/// failure.
int cfiles_take_clock_change(int descriptor);

/// Opens a descriptor that becomes ready when an address or a route of the network changes; -1 and an
/// error number on failure.
int cfiles_open_network_watch(void);

/// Takes the notices of a ready network watch.
void cfiles_take_network_changes(int descriptor);

/// Writes the addresses of networks that are up, each followed by a line feed, and returns their length;
/// -1 and an error number on failure.
///
/// Loopback and link-local addresses are omitted, and so are those that exceed the size of the buffer.
long cfiles_list_addresses(char *buffer, size_t size);
