// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/udateintervalformat.h>
#include <unicode/udatpg.h>
#include <unicode/uloc.h>
#include <unicode/ustring.h>

// Times come as what a clock shows, and ICU is told that the clock is in UTC: its own time zones are
// older than the system's.
static const UChar utc[] = {'U', 'T', 'C'};

// Before this, ICU would count in Julian days.
static const double gregorian_for_ever = -8.64e15;

struct cicu_dates {
  char locale[ULOC_FULLNAME_CAPACITY];
  UDateTimePatternGenerator *patterns;
};

struct cicu_date_format {
  UDateFormat *format;
};

struct cicu_interval_format {
  UDateIntervalFormat *format;
};

cicu_dates *cicu_dates_open(const char *locale, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_dates *result = calloc(1, sizeof *result);
  if (!result) error = U_MEMORY_ALLOCATION_ERROR;
  if (U_SUCCESS(error)) {
    uloc_canonicalize(locale, result->locale, (int32_t)sizeof result->locale, &error);
    uloc_setKeywordValue(
        "calendar", "gregorian", result->locale, (int32_t)sizeof result->locale, &error);
    result->patterns = udatpg_open(result->locale, &error);
  }
  *status = error;
  if (U_FAILURE(error)) {
    cicu_dates_close(result);
    return NULL;
  }
  return result;
}

void cicu_dates_close(cicu_dates *dates) {
  if (!dates) return;
  udatpg_close(dates->patterns);
  free(dates);
}

int32_t cicu_dates_first_weekday(const cicu_dates *dates, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UCalendar *calendar = ucal_open(utc, 3, dates->locale, UCAL_DEFAULT, &error);
  int32_t day = U_SUCCESS(error) ? ucal_getAttribute(calendar, UCAL_FIRST_DAY_OF_WEEK) : 0;
  ucal_close(calendar);
  *status = error;
  return day;
}

/// A skeleton in UTF-16; none of those in use has more letters.
static int32_t units(const char *skeleton, UChar buffer[32]) {
  size_t count = strlen(skeleton);
  if (count > 31) count = 31;
  for (size_t index = 0; index < count; index++) buffer[index] = (UChar)skeleton[index];
  buffer[count] = 0;
  return (int32_t)count;
}

cicu_date_format *cicu_date_format_open(
    const cicu_dates *dates, const char *skeleton, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UChar letters[32];
  int32_t count = units(skeleton, letters);
  UChar pattern[128];
  int32_t length =
      udatpg_getBestPattern(dates->patterns, letters, count, pattern, 128, &error);
  UDateFormat *format = NULL;
  if (U_SUCCESS(error)) {
    format =
        udat_open(UDAT_PATTERN, UDAT_PATTERN, dates->locale, utc, 3, pattern, length, &error);
  }
  if (U_SUCCESS(error)) {
    UCalendar *calendar = ucal_clone(udat_getCalendar(format), &error);
    ucal_setGregorianChange(calendar, gregorian_for_ever, &error);
    if (U_SUCCESS(error)) udat_setCalendar(format, calendar);
    ucal_close(calendar);
  }
  cicu_date_format *result = U_SUCCESS(error) ? calloc(1, sizeof *result) : NULL;
  if (U_SUCCESS(error) && !result) error = U_MEMORY_ALLOCATION_ERROR;
  *status = error;
  if (U_FAILURE(error)) {
    udat_close(format);
    return NULL;
  }
  result->format = format;
  return result;
}

void cicu_date_format_close(cicu_date_format *format) {
  if (!format) return;
  udat_close(format->format);
  free(format);
}

cicu_buffer cicu_date_format_apply(
    const cicu_date_format *format, double milliseconds, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UChar text[256];
  int32_t count = udat_format(format->format, milliseconds, text, 256, NULL, &error);
  cicu_buffer result = {NULL, 0};
  if (U_SUCCESS(error)) result = cicu_buffer_from_utf16(text, count, &error);
  *status = error;
  return result;
}

cicu_interval_format *cicu_interval_format_open(
    const cicu_dates *dates, const char *skeleton, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UChar letters[32];
  int32_t count = units(skeleton, letters);
  UDateIntervalFormat *format = udtitvfmt_open(dates->locale, letters, count, utc, 3, &error);
  cicu_interval_format *result = U_SUCCESS(error) ? calloc(1, sizeof *result) : NULL;
  if (U_SUCCESS(error) && !result) error = U_MEMORY_ALLOCATION_ERROR;
  *status = error;
  if (U_FAILURE(error)) {
    udtitvfmt_close(format);
    return NULL;
  }
  result->format = format;
  return result;
}

void cicu_interval_format_close(cicu_interval_format *format) {
  if (!format) return;
  udtitvfmt_close(format->format);
  free(format);
}

cicu_buffer cicu_interval_format_apply(
    const cicu_interval_format *format, double from, double to, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UChar text[256];
  int32_t count = udtitvfmt_format(format->format, from, to, text, 256, NULL, &error);
  cicu_buffer result = {NULL, 0};
  if (U_SUCCESS(error)) result = cicu_buffer_from_utf16(text, count, &error);
  *status = error;
  return result;
}
