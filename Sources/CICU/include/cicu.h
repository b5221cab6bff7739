// SPDX-License-Identifier: Apache-2.0

// Coarse functions over ICU. No header of ICU is included here: ICU's names are macros that Swift
// cannot see, and its module cannot be imported beside Foundation's.
//
// Texts are UTF-8 with a count of bytes. Functions with a `status` set it to an error code of ICU,
// of which those above 0 are failures. What is returned as a `cicu_buffer` belongs to the caller.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Bytes that the caller frees with `cicu_buffer_free`; NULL if the function failed.
typedef struct {
  uint8_t *bytes;
  int32_t count;
} cicu_buffer;

void cicu_buffer_free(cicu_buffer buffer);

/// The version of the ICU library, as "72.1".
const char *cicu_version(void);

/// The version of Unicode that it implements, as "15.0".
cicu_buffer cicu_unicode_version(void);

/// The version of the time zones that it carries, as "2022e".
const char *cicu_zone_version(int32_t *status);

/// The name of an error code, as "U_ILLEGAL_CHAR_FOUND".
const char *cicu_error_name(int32_t status);

// Time zones.

/// All Windows names of time zones: lines of a name, a tab, a territory ("001" for the world), a tab,
/// and the names of zones with spaces between them, the preferred one first.
cicu_buffer cicu_windows_zones(int32_t *status);

/// The name that CLDR prefers for a zone, which is often an older one than the tz database's.
cicu_buffer cicu_canonical_zone(const uint8_t *name, int32_t count, int32_t *status);

/// The names of all time zones, one a line.
cicu_buffer cicu_zone_names(int32_t *status);

/// What the clocks of a zone do from the year 1 through 9999, one change a line, the first of them for the
/// start: the seconds since 1970, the offset in seconds, and 1 in daylight time.
cicu_buffer cicu_zone_changes(const uint8_t *name, int32_t count, int32_t *status);

// Character sets.

/// Guesses the character set of bytes; `confidence` is from 0 through 100.
cicu_buffer cicu_detect_charset(
    const uint8_t *bytes, int32_t count, int32_t *confidence, int32_t *status);

/// Converts a stream of bytes in one character set to UTF-8.
typedef struct cicu_converter cicu_converter;

/// Opens a converter; NULL if there is no such character set.
cicu_converter *cicu_converter_open(const char *charset, int32_t *status);
void cicu_converter_close(cicu_converter *converter);

/// The usual name of the converter's character set, or ICU's own if it has none.
const char *cicu_converter_name(cicu_converter *converter, int32_t *status);

/// Converts the next bytes. `is_last` tells that no more come.
///
/// At a sequence that is not valid it stops, sets `status`, and sets `invalid_length` to the length
/// of the sequence; `consumed` counts it and all bytes before it. The converter is of no use then.
cicu_buffer cicu_converter_convert(
    cicu_converter *converter, const uint8_t *bytes, int32_t count, bool is_last,
    int32_t *consumed, int32_t *invalid_length, int32_t *status);

// Collation.

typedef struct cicu_collator cicu_collator;

/// Opens a collator; the strength is 1 for letters only, 2 with accents, 3 with case.
cicu_collator *cicu_collator_open(const char *locale, int32_t strength, int32_t *status);
void cicu_collator_close(cicu_collator *collator);

/// Less than, equal to or more than 0, as the left text comes before, with or after the right one.
int32_t cicu_collator_compare(
    const cicu_collator *collator, const uint8_t *left, int32_t left_count, const uint8_t *right,
    int32_t right_count, int32_t *status);

/// Bytes whose order is that of the texts.
cicu_buffer cicu_collator_sort_key(
    const cicu_collator *collator, const uint8_t *text, int32_t count, int32_t *status);

/// The place of the first match of a pattern in a text, in bytes; -1 if there is none.
int32_t cicu_collator_search(
    const cicu_collator *collator, const uint8_t *pattern, int32_t pattern_count,
    const uint8_t *text, int32_t text_count, int32_t *match_count, int32_t *status);

/// The text without differences of case and form (NFKC_Casefold).
cicu_buffer cicu_fold_case(const uint8_t *text, int32_t count, int32_t *status);

// Calendars.

/// A calendar with a place in time; it may be used by one thread at a time.
typedef struct cicu_calendar cicu_calendar;

/// A month of a year: its number from 1, whether it is the leap month after that one, and its days.
typedef struct {
  int32_t number;
  bool is_leap;
  int32_t length;
} cicu_month;

/// Opens a calendar by its name in CLDR, as "hebrew"; NULL if there is none.
cicu_calendar *cicu_calendar_open(const char *name, int32_t *status);
void cicu_calendar_close(cicu_calendar *calendar);

/// The number of the year that a day lies in; days count from 1970-01-01, years follow each other by one.
int32_t cicu_calendar_year(cicu_calendar *calendar, int32_t day, int32_t *status);

/// Lays out a year: its first day, and its months in order.
///
/// Returns the number of months; 0 if it failed, or if they are more than there is room for.
int32_t cicu_calendar_months(
    cicu_calendar *calendar, int32_t year, int32_t *first_day, cicu_month *months,
    int32_t capacity, int32_t *status);

// Dates and times for people, of the Gregorian calendar. Moments are milliseconds since 1970-01-01 on
// the clock that is to be shown, as if it were in UTC. A skeleton is a list of fields, as "yMMMEd".

typedef struct cicu_dates cicu_dates;
typedef struct cicu_date_format cicu_date_format;
typedef struct cicu_interval_format cicu_interval_format;

/// Opens what a locale, as "de_AT", says about dates.
cicu_dates *cicu_dates_open(const char *locale, int32_t *status);
void cicu_dates_close(cicu_dates *dates);

/// The day on which weeks begin, from 1 for Sunday through 7.
int32_t cicu_dates_first_weekday(const cicu_dates *dates, int32_t *status);

/// Opens what writes the fields of a skeleton as the locale does.
cicu_date_format *cicu_date_format_open(
    const cicu_dates *dates, const char *skeleton, int32_t *status);
void cicu_date_format_close(cicu_date_format *format);
cicu_buffer cicu_date_format_apply(
    const cicu_date_format *format, double milliseconds, int32_t *status);

/// Opens what writes intervals, without what their ends share.
cicu_interval_format *cicu_interval_format_open(
    const cicu_dates *dates, const char *skeleton, int32_t *status);
void cicu_interval_format_close(cicu_interval_format *format);
cicu_buffer cicu_interval_format_apply(
    const cicu_interval_format *format, double from, double to, int32_t *status);

/// The words of a locale for dates, as lines of four fields with tabs between them: the kind, the unit, a number
/// and the words.
///
/// - `name`, `weekday`, from 1 for Sunday through 7: a name or an abbreviation.
/// - `name`, `month`, from 1 through 12: a name or an abbreviation.
/// - `name`, `half`, 0 or 1: the word before or after noon.
/// - `name`, `hour`, 15: the hour as in a time without minutes.
/// - `relative`, a unit, from -2 through 2: as "tomorrow" or "next week"; units are `year`, `month`, `week`, `day`,
///   `second` for the present, and `weekday1` for Sunday through `weekday7`.
/// - `numeric`, a unit, a number: as "in 2 hours"; the number is not negative in the words.
cicu_buffer cicu_date_words(const char *locale, int32_t *status);
