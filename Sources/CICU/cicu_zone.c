// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/ucal.h>
#include <unicode/uenum.h>

/// The longest line that is written, with its end.
enum { line_size = 64 };

/// The first moment of the year 1, and the first after the year 9999, in milliseconds since 1970.
static const double first_time = -62135596800000.0;
static const double end_time = 253402300800000.0;

/// The most changes of a zone; two a year for 9999 years are fewer.
enum { change_limit = 25000 };

cicu_buffer cicu_zone_names(int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_lines lines = {NULL, 0, 0};
  UEnumeration *names = ucal_openTimeZoneIDEnumeration(UCAL_ZONE_TYPE_ANY, NULL, NULL, &error);
  const char *name;
  int32_t count = 0;
  while (U_SUCCESS(error) && (name = uenum_next(names, &count, &error))) {
    cicu_lines_append(&lines, name, (size_t)count, &error);
    cicu_lines_append(&lines, "\n", 1, &error);
  }
  uenum_close(names);
  return cicu_lines_finish(lines, error, status);
}

/// Writes a line: what the clocks do at the moment of the calendar.
static void append_change(cicu_lines *lines, double time, UCalendar *calendar, UErrorCode *error) {
  int32_t standard = ucal_get(calendar, UCAL_ZONE_OFFSET, error);
  int32_t daylight = ucal_get(calendar, UCAL_DST_OFFSET, error);
  char line[line_size];
  int count = snprintf(
      line, sizeof line, "%" PRId64 " %" PRId32 " %d\n", (int64_t)(time / 1000),
      (standard + daylight) / 1000, daylight != 0);
  cicu_lines_append(lines, line, (size_t)count, error);
}

cicu_buffer cicu_zone_changes(const uint8_t *name, int32_t count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_lines lines = {NULL, 0, 0};
  cicu_text text = cicu_text_from_utf8(name, count, &error);
  UCalendar *calendar =
      U_SUCCESS(error) ? ucal_open(text.units, text.count, "und", UCAL_GREGORIAN, &error) : NULL;
  double time = first_time;
  for (int change = 0; U_SUCCESS(error) && change <= change_limit && time < end_time; change++) {
    ucal_setMillis(calendar, time, &error);
    append_change(&lines, time, calendar, &error);
    UDate next = 0;
    UBool has_next =
        ucal_getTimeZoneTransitionDate(calendar, UCAL_TZ_TRANSITION_NEXT, &next, &error);
    if (!has_next) break;
    time = next;
  }
  ucal_close(calendar);
  free(text.units);
  return cicu_lines_finish(lines, error, status);
}
