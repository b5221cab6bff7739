// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <stdlib.h>

#include <unicode/ucol.h>
#include <unicode/unorm2.h>
#include <unicode/usearch.h>
#include <unicode/ustring.h>

struct cicu_collator {
  UCollator *collator;
};

cicu_collator *cicu_collator_open(const char *locale, int32_t strength, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_collator *result = calloc(1, sizeof *result);
  if (!result) error = U_MEMORY_ALLOCATION_ERROR;
  UCollator *collator = ucol_open(locale, &error);
  // ICU's strengths count from 0.
  ucol_setAttribute(
      collator, UCOL_STRENGTH, (UColAttributeValue)(UCOL_PRIMARY + strength - 1), &error);
  // So that decomposed and composed letters are the same.
  ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &error);
  *status = error;
  if (U_FAILURE(error)) {
    ucol_close(collator);
    free(result);
    return NULL;
  }
  result->collator = collator;
  return result;
}

void cicu_collator_close(cicu_collator *collator) {
  if (!collator) return;
  ucol_close(collator->collator);
  free(collator);
}

int32_t cicu_collator_compare(
    const cicu_collator *collator, const uint8_t *left, int32_t left_count, const uint8_t *right,
    int32_t right_count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UCollationResult result = ucol_strcollUTF8(
      collator->collator, (const char *)left, left_count, (const char *)right, right_count, &error);
  *status = error;
  return result;
}

cicu_buffer cicu_collator_sort_key(
    const cicu_collator *collator, const uint8_t *text, int32_t count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_buffer result = {NULL, 0};
  cicu_text units = cicu_text_from_utf8(text, count, &error);
  if (U_SUCCESS(error)) {
    int32_t needed = ucol_getSortKey(collator->collator, units.units, units.count, NULL, 0);
    uint8_t *key = needed > 0 ? malloc((size_t)needed) : NULL;
    if (key) {
      ucol_getSortKey(collator->collator, units.units, units.count, key, needed);
      // The key ends in a NUL that is no part of its order.
      result = (cicu_buffer){key, needed - 1};
    } else {
      error = U_MEMORY_ALLOCATION_ERROR;
    }
  }
  free(units.units);
  *status = error;
  return result;
}

/// The number of bytes of the first units of a text in UTF-8.
static int32_t utf8_length(const UChar *units, int32_t count) {
  int32_t length = 0;
  UErrorCode ignored = U_ZERO_ERROR;
  u_strToUTF8(NULL, 0, &length, units, count, &ignored);
  return length;
}

int32_t cicu_collator_search(
    const cicu_collator *collator, const uint8_t *pattern, int32_t pattern_count,
    const uint8_t *text, int32_t text_count, int32_t *match_count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t result = -1;
  cicu_text needle = cicu_text_from_utf8(pattern, pattern_count, &error);
  cicu_text haystack = cicu_text_from_utf8(text, text_count, &error);
  // ICU calls an empty pattern or text an error.
  if (U_SUCCESS(error) && needle.count > 0 && haystack.count > 0) {
    UStringSearch *search = usearch_openFromCollator(
        needle.units, needle.count, haystack.units, haystack.count, collator->collator, NULL,
        &error);
    int32_t place = usearch_first(search, &error);
    if (U_SUCCESS(error) && place != USEARCH_DONE) {
      result = utf8_length(haystack.units, place);
      *match_count = utf8_length(haystack.units + place, usearch_getMatchedLength(search));
    }
    usearch_close(search);
  }
  free(needle.units);
  free(haystack.units);
  *status = error;
  return result;
}

cicu_buffer cicu_fold_case(const uint8_t *text, int32_t count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_buffer result = {NULL, 0};
  cicu_text units = cicu_text_from_utf8(text, count, &error);
  const UNormalizer2 *folding = unorm2_getNFKCCasefoldInstance(&error);
  UChar *folded = NULL;
  int32_t length = 0;
  if (U_SUCCESS(error)) {
    UErrorCode preflight = U_ZERO_ERROR;
    length = unorm2_normalize(folding, units.units, units.count, NULL, 0, &preflight);
    folded = malloc(((size_t)length + 1) * sizeof(UChar));
    if (!folded) error = U_MEMORY_ALLOCATION_ERROR;
  }
  if (U_SUCCESS(error)) {
    length = unorm2_normalize(folding, units.units, units.count, folded, length + 1, &error);
    if (U_SUCCESS(error)) result = cicu_buffer_from_utf16(folded, length, &error);
  }
  free(folded);
  free(units.units);
  *status = error;
  return result;
}
