// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the C library has beyond its standard, and Swift's module of it therefore lacks.

/// Makes durable what was written to the file system of an open file; -1 and an error number if not.
int cfiles_synchronize_file_system(int descriptor);
