// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

struct cicu_converter {
  UConverter *converter;
  /// The first half of a character whose second half is not converted yet, or 0.
  UChar pending;
};

cicu_buffer cicu_detect_charset(
    const uint8_t *bytes, int32_t count, int32_t *confidence, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_buffer result = {NULL, 0};
  UCharsetDetector *detector = ucsdet_open(&error);
  ucsdet_setText(detector, (const char *)bytes, count, &error);
  const UCharsetMatch *match = ucsdet_detect(detector, &error);
  if (U_SUCCESS(error) && match) {
    *confidence = ucsdet_getConfidence(match, &error);
    const char *name = ucsdet_getName(match, &error);
    if (U_SUCCESS(error) && name) result = cicu_buffer_from_string(name);
  }
  ucsdet_close(detector);
  *status = error;
  return result;
}

cicu_converter *cicu_converter_open(const char *charset, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_converter *result = calloc(1, sizeof *result);
  if (!result) error = U_MEMORY_ALLOCATION_ERROR;
  UConverter *converter = ucnv_open(charset, &error);
  // Without this, bytes that are not valid would become U+FFFD in silence.
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
  *status = error;
  if (U_FAILURE(error)) {
    ucnv_close(converter);
    free(result);
    return NULL;
  }
  result->converter = converter;
  return result;
}

void cicu_converter_close(cicu_converter *converter) {
  if (!converter) return;
  ucnv_close(converter->converter);
  free(converter);
}

const char *cicu_converter_name(cicu_converter *converter, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  const char *own = ucnv_getName(converter->converter, &error);
  *status = error;
  if (U_FAILURE(error)) return NULL;
  // The names preferred in mail are the familiar ones; the registry's are "ANSI_X3.4-1968" and such.
  const char *standards[] = {"MIME", "IANA"};
  for (int place = 0; place < 2; place++) {
    UErrorCode ignored = U_ZERO_ERROR;
    const char *name = ucnv_getStandardName(own, standards[place], &ignored);
    if (U_SUCCESS(ignored) && name) return name;
  }
  return own;
}

/// Stands for a half of a character without the other one, as in UTF-7 and CESU-8.
static const UChar32 REPLACEMENT_CHARACTER = 0xFFFD;

/// Appends UTF-16 as UTF-8; a character of which only the first half is there waits in `pending`.
///
/// The bytes have room for three for each unit, which is enough: two units make four bytes, and a half
/// without the other one makes three.
static int32_t append_utf8(
    uint8_t *bytes, int32_t length, const UChar *units, int32_t count, UChar *pending) {
  for (int32_t place = 0; place < count; place++) {
    UChar32 character = units[place];
    UChar lead = *pending;
    *pending = 0;
    if (lead && U16_IS_TRAIL(character)) {
      character = U16_GET_SUPPLEMENTARY(lead, units[place]);
    } else {
      if (lead) U8_APPEND_UNSAFE(bytes, length, REPLACEMENT_CHARACTER);
      if (U16_IS_LEAD(character)) {
        *pending = units[place];
        continue;
      }
      if (U16_IS_TRAIL(character)) character = REPLACEMENT_CHARACTER;
    }
    U8_APPEND_UNSAFE(bytes, length, character);
  }
  return length;
}

/// How many units are converted at a time.
enum { PIVOT_SIZE = 4096 };

cicu_buffer cicu_converter_convert(
    cicu_converter *converter, const uint8_t *bytes, int32_t count, bool is_last,
    int32_t *consumed, int32_t *invalid_length, int32_t *status) {
  const char *source = (const char *)bytes;
  const char *end = source + count;
  uint8_t *result = NULL;
  int32_t length = 0;
  UErrorCode error = U_BUFFER_OVERFLOW_ERROR;
  UChar pivot[PIVOT_SIZE];
  *invalid_length = 0;
  while (error == U_BUFFER_OVERFLOW_ERROR) {
    UChar *target = pivot;
    error = U_ZERO_ERROR;
    ucnv_toUnicode(
        converter->converter, &target, pivot + PIVOT_SIZE, &source, end, NULL, is_last, &error);
    int32_t units = (int32_t)(target - pivot);
    // Three bytes for each unit, and one for a half that waited since the last time.
    int64_t capacity = (int64_t)length + (int64_t)units * 3 + 4;
    uint8_t *grown = capacity > INT32_MAX ? NULL : realloc(result, (size_t)capacity);
    if (!grown) {
      error = U_MEMORY_ALLOCATION_ERROR;
      break;
    }
    result = grown;
    length = append_utf8(result, length, pivot, units, &converter->pending);
  }
  if (is_last && U_SUCCESS(error) && converter->pending) {
    U8_APPEND_UNSAFE(result, length, REPLACEMENT_CHARACTER);
    converter->pending = 0;
  }
  if (U_FAILURE(error)) {
    char invalid[32];
    int8_t size = sizeof invalid;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter->converter, invalid, &size, &ignored);
    *invalid_length = U_SUCCESS(ignored) ? size : 0;
  }
  *consumed = (int32_t)(source - (const char *)bytes);
  *status = error;
  return (cicu_buffer){result, length};
}
