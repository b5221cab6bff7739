// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/ucal.h>

struct cicu_calendar {
  UCalendar *calendar;
  /// Whether ICU counts a month for leap years only, as Hebrew months are counted: the sixth.
  bool has_hebrew_months;
  /// Whether each month begins with a new moon, as Chinese and Korean months do.
  bool has_lunar_months;
};

static const double day_length = 86400000.0;

cicu_calendar *cicu_calendar_open(const char *name, int32_t *status) {
  static const UChar greenwich[] = {'E', 't', 'c', '/', 'G', 'M', 'T', 0};
  UErrorCode error = U_ZERO_ERROR;
  char locale[64];
  int count = snprintf(locale, sizeof locale, "und@calendar=%s", name);
  if (count < 0 || (size_t)count >= sizeof locale) error = U_ILLEGAL_ARGUMENT_ERROR;
  UCalendar *calendar = ucal_open(greenwich, -1, locale, UCAL_DEFAULT, &error);
  // For a name that it does not know ICU opens another calendar. The type of a variant may be that of
  // what it varies: ICU reckons islamic-rgsa as islamic.
  const char *type = ucal_getType(calendar, &error);
  if (U_SUCCESS(error) && strncmp(type, name, strlen(type)) != 0) error = U_MISSING_RESOURCE_ERROR;
  cicu_calendar *result = U_SUCCESS(error) ? calloc(1, sizeof *result) : NULL;
  if (U_SUCCESS(error) && !result) error = U_MEMORY_ALLOCATION_ERROR;
  *status = error;
  if (!result) {
    ucal_close(calendar);
    return NULL;
  }
  result->calendar = calendar;
  result->has_hebrew_months = strcmp(name, "hebrew") == 0;
  result->has_lunar_months = strcmp(name, "chinese") == 0 || strcmp(name, "dangi") == 0;
  return result;
}

void cicu_calendar_close(cicu_calendar *calendar) {
  if (!calendar) return;
  ucal_close(calendar->calendar);
  free(calendar);
}

int32_t cicu_calendar_year(cicu_calendar *calendar, int32_t day, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  ucal_setMillis(calendar->calendar, (double)day * day_length, &error);
  int32_t year = ucal_get(calendar->calendar, UCAL_EXTENDED_YEAR, &error);
  *status = error;
  return year;
}

/// The month that the calendar is in.
static cicu_month current_month(cicu_calendar *calendar, UErrorCode *error) {
  cicu_month month = {0, false, 0};
  int32_t number = ucal_get(calendar->calendar, UCAL_MONTH, error);
  month.is_leap = ucal_get(calendar->calendar, UCAL_IS_LEAP_MONTH, error) != 0;
  month.number = number + 1;
  if (calendar->has_hebrew_months) {
    // ICU's months 0 through 4 are 1 through 5, its 5 is the leap month 5L, and 6 through 12 are so.
    month.is_leap = number == 5;
    month.number = number < 5 ? number + 1 : number == 5 ? 5 : number;
  }
  return month;
}

/// Moves the calendar to a day and returns the day of the month there.
static int32_t go_to_day(UCalendar *ucal, double day, UErrorCode *error) {
  ucal_setMillis(ucal, day * day_length, error);
  return ucal_get(ucal, UCAL_DATE, error);
}

/// The first day of a year whose months begin with new moons, near a guess of that day.
///
/// ICU keeps the new year's days of the Chinese and the Korean calendar in one cache, so that it
/// computes a year of one from the new year of the other, a month or two too late where they differ.
/// What ICU computes from a day uses only the winter solstices of that cache, which change no year
/// before 2405.
static double first_lunar_day(UCalendar *ucal, int32_t year, double guess, UErrorCode *error) {
  double day = guess;
  for (int step = 0; step < 8 && U_SUCCESS(*error); step++) {
    day -= go_to_day(ucal, day, error) - 1;
    int32_t found = ucal_get(ucal, UCAL_EXTENDED_YEAR, error);
    ucal_setMillis(ucal, (day - 1) * day_length, error);
    bool is_first = ucal_get(ucal, UCAL_EXTENDED_YEAR, error) < year;
    if (found == year && is_first) return day;
    day += found < year ? 31 : -1;
  }
  if (U_SUCCESS(*error)) *error = U_ILLEGAL_ARGUMENT_ERROR;
  return guess;
}

/// Moves the calendar from the first day of a month to that of the next, and returns it.
static double next_month(cicu_calendar *calendar, double start, UErrorCode *error) {
  UCalendar *ucal = calendar->calendar;
  if (!calendar->has_lunar_months) {
    ucal_add(ucal, UCAL_MONTH, 1, error);
    return floor(ucal_getMillis(ucal, error) / day_length);
  }
  double next = start + 29;
  if (go_to_day(ucal, next, error) == 1) return next;
  if (go_to_day(ucal, ++next, error) != 1 && U_SUCCESS(*error)) *error = U_ILLEGAL_ARGUMENT_ERROR;
  return next;
}

int32_t cicu_calendar_months(
    cicu_calendar *calendar, int32_t year, int32_t *first_day, cicu_month *months,
    int32_t capacity, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UCalendar *ucal = calendar->calendar;
  ucal_clear(ucal);
  ucal_set(ucal, UCAL_EXTENDED_YEAR, year);
  ucal_set(ucal, UCAL_MONTH, 0);
  ucal_set(ucal, UCAL_IS_LEAP_MONTH, 0);
  ucal_set(ucal, UCAL_DATE, 1);
  double start = floor(ucal_getMillis(ucal, &error) / day_length);
  if (calendar->has_lunar_months) {
    start = first_lunar_day(ucal, year, start, &error);
    go_to_day(ucal, start, &error);
  }
  // A calendar may take what was set for another day than was meant.
  bool is_first = ucal_get(ucal, UCAL_EXTENDED_YEAR, &error) == year &&
                  ucal_get(ucal, UCAL_DATE, &error) == 1;
  if (U_SUCCESS(error) && (!is_first || fabs(start) > 1e9)) error = U_ILLEGAL_ARGUMENT_ERROR;
  *first_day = U_SUCCESS(error) ? (int32_t)start : 0;
  int32_t count = 0;
  while (U_SUCCESS(error) && ucal_get(ucal, UCAL_EXTENDED_YEAR, &error) == year) {
    if (count == capacity) {
      error = U_BUFFER_OVERFLOW_ERROR;
      break;
    }
    cicu_month month = current_month(calendar, &error);
    double next = next_month(calendar, start, &error);
    month.length = (int32_t)(next - start);
    start = next;
    months[count++] = month;
  }
  *status = error;
  return U_SUCCESS(error) ? count : 0;
}
