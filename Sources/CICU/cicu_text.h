// SPDX-License-Identifier: Apache-2.0

// What the sources of the shim share; not part of its public header.

#pragma once

#include "cicu.h"

#include <stddef.h>

#include <unicode/utypes.h>

/// A text in UTF-16, which the caller frees.
typedef struct {
  UChar *units;
  int32_t count;
} cicu_text;

/// Converts UTF-8 to UTF-16; no units if it fails.
cicu_text cicu_text_from_utf8(const uint8_t *bytes, int32_t count, UErrorCode *status);

/// Converts UTF-16 to UTF-8; no bytes if it fails.
cicu_buffer cicu_buffer_from_utf16(const UChar *units, int32_t count, UErrorCode *status);

/// Copies a text that ends in NUL; no bytes if there is no memory.
cicu_buffer cicu_buffer_from_string(const char *text);

/// A text that grows, of lines for the caller to split.
typedef struct {
  char *bytes;
  size_t count;
  size_t capacity;
} cicu_lines;

/// Appends bytes to a text, unless an earlier step failed.
void cicu_lines_append(cicu_lines *lines, const char *bytes, size_t count, UErrorCode *status);

/// Returns the text, or frees it after a failure.
cicu_buffer cicu_lines_finish(cicu_lines lines, UErrorCode error, int32_t *status);
