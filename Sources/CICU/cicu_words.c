// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/udat.h>
#include <unicode/udatpg.h>
#include <unicode/uloc.h>
#include <unicode/ureldatefmt.h>

/// The words that are collected, and the first failure.
typedef struct {
  char locale[ULOC_FULLNAME_CAPACITY];
  cicu_lines lines;
  UErrorCode error;
} words;

/// The longest words of a line, in units of UTF-16.
enum { text_size = 128 };

static void append(words *words, const char *head, const UChar *text, int32_t count) {
  if (U_FAILURE(words->error) || count == 0) return;
  cicu_buffer utf8 = cicu_buffer_from_utf16(text, count, &words->error);
  if (U_FAILURE(words->error)) return;
  cicu_lines_append(&words->lines, head, strlen(head), &words->error);
  cicu_lines_append(&words->lines, (const char *)utf8.bytes, (size_t)utf8.count, &words->error);
  cicu_lines_append(&words->lines, "\n", 1, &words->error);
  cicu_buffer_free(utf8);
}

/// Appends the names that a format uses, from an index on.
static void append_names(
    words *words, const UDateFormat *format, UDateFormatSymbolType type, const char *unit,
    int32_t first) {
  int32_t end = udat_countSymbols(format, type);
  for (int32_t index = first; index < end; index++) {
    char head[64];
    UChar text[text_size];
    // Months are counted from 0.
    int32_t number = strcmp(unit, "month") == 0 ? index + 1 : index;
    snprintf(head, sizeof head, "name\t%s\t%d\t", unit, number);
    UErrorCode error = U_ZERO_ERROR;
    int32_t count = udat_getSymbols(format, type, index, text, text_size, &error);
    if (U_SUCCESS(error)) append(words, head, text, count);
  }
}

static void append_all_names(words *words) {
  static const UDateFormatSymbolType weekdays[] = {
      UDAT_WEEKDAYS, UDAT_SHORT_WEEKDAYS, UDAT_STANDALONE_WEEKDAYS, UDAT_STANDALONE_SHORT_WEEKDAYS};
  static const UDateFormatSymbolType months[] = {
      UDAT_MONTHS, UDAT_SHORT_MONTHS, UDAT_STANDALONE_MONTHS, UDAT_STANDALONE_SHORT_MONTHS};
  UDateFormat *format =
      udat_open(UDAT_FULL, UDAT_FULL, words->locale, NULL, 0, NULL, 0, &words->error);
  if (U_FAILURE(words->error)) return;
  for (size_t index = 0; index < sizeof weekdays / sizeof *weekdays; index++) {
    append_names(words, format, weekdays[index], "weekday", 1);
  }
  for (size_t index = 0; index < sizeof months / sizeof *months; index++) {
    append_names(words, format, months[index], "month", 0);
  }
  append_names(words, format, UDAT_AM_PMS, "half", 0);
  udat_close(format);
}

/// Appends the third hour after noon, whose words may name the hour, as "15 Uhr".
static void append_hour(words *words) {
  static const UChar utc[] = {'U', 'T', 'C'};
  static const UChar skeleton[] = {'j'};
  UChar text[text_size];
  UDateTimePatternGenerator *patterns = udatpg_open(words->locale, &words->error);
  int32_t length = udatpg_getBestPattern(patterns, skeleton, 1, text, text_size, &words->error);
  UDateFormat *format = NULL;
  if (U_SUCCESS(words->error)) {
    format = udat_open(
        UDAT_PATTERN, UDAT_PATTERN, words->locale, utc, 3, text, length, &words->error);
  }
  if (U_SUCCESS(words->error)) {
    int32_t count = udat_format(format, 15 * 3600000.0, text, text_size, NULL, &words->error);
    append(words, "name\thour\t15\t", text, count);
  }
  udat_close(format);
  udatpg_close(patterns);
}

/// A unit, and how far from the present it has words of its own.
typedef struct {
  URelativeDateTimeUnit unit;
  const char *name;
  int32_t reach;
} relative_unit;

static const relative_unit relative_units[] = {
    {UDAT_REL_UNIT_SECOND, "second", 0},
    {UDAT_REL_UNIT_DAY, "day", 2},
    {UDAT_REL_UNIT_WEEK, "week", 1},
    {UDAT_REL_UNIT_MONTH, "month", 1},
    {UDAT_REL_UNIT_YEAR, "year", 1},
    {UDAT_REL_UNIT_SUNDAY, "weekday1", 1},
    {UDAT_REL_UNIT_MONDAY, "weekday2", 1},
    {UDAT_REL_UNIT_TUESDAY, "weekday3", 1},
    {UDAT_REL_UNIT_WEDNESDAY, "weekday4", 1},
    {UDAT_REL_UNIT_THURSDAY, "weekday5", 1},
    {UDAT_REL_UNIT_FRIDAY, "weekday6", 1},
    {UDAT_REL_UNIT_SATURDAY, "weekday7", 1},
};

static const relative_unit numeric_units[] = {
    {UDAT_REL_UNIT_MINUTE, "minute", 0}, {UDAT_REL_UNIT_HOUR, "hour", 0},
    {UDAT_REL_UNIT_DAY, "day", 0},       {UDAT_REL_UNIT_WEEK, "week", 0},
    {UDAT_REL_UNIT_MONTH, "month", 0},   {UDAT_REL_UNIT_YEAR, "year", 0},
};

/// Numbers of each grammatical number that languages distinguish.
static const int32_t numbers[] = {-11, -5, -2, -1, 1, 2, 5, 11};

static void append_relative(words *words, UDateRelativeDateTimeFormatterStyle style) {
  char head[64];
  UChar text[text_size];
  URelativeDateTimeFormatter *format = ureldatefmt_open(
      words->locale, NULL, style, UDISPCTX_CAPITALIZATION_NONE, &words->error);
  if (U_FAILURE(words->error)) return;
  for (size_t index = 0; index < sizeof relative_units / sizeof *relative_units; index++) {
    relative_unit unit = relative_units[index];
    for (int32_t offset = -unit.reach; offset <= unit.reach; offset++) {
      UErrorCode error = U_ZERO_ERROR;
      int32_t count = ureldatefmt_format(format, offset, unit.unit, text, text_size, &error);
      snprintf(head, sizeof head, "relative\t%s\t%d\t", unit.name, offset);
      if (U_SUCCESS(error)) append(words, head, text, count);
    }
  }
  for (size_t index = 0; index < sizeof numeric_units / sizeof *numeric_units; index++) {
    relative_unit unit = numeric_units[index];
    for (size_t place = 0; place < sizeof numbers / sizeof *numbers; place++) {
      UErrorCode error = U_ZERO_ERROR;
      int32_t count =
          ureldatefmt_formatNumeric(format, numbers[place], unit.unit, text, text_size, &error);
      snprintf(head, sizeof head, "numeric\t%s\t%d\t", unit.name, numbers[place]);
      if (U_SUCCESS(error)) append(words, head, text, count);
    }
  }
  ureldatefmt_close(format);
}

cicu_buffer cicu_date_words(const char *locale, int32_t *status) {
  words words = {.error = U_ZERO_ERROR};
  uloc_canonicalize(locale, words.locale, (int32_t)sizeof words.locale, &words.error);
  // The digits of all scripts are read as ASCII ones.
  uloc_setKeywordValue(
      "numbers", "latn", words.locale, (int32_t)sizeof words.locale, &words.error);
  uloc_setKeywordValue(
      "calendar", "gregorian", words.locale, (int32_t)sizeof words.locale, &words.error);
  if (U_SUCCESS(words.error)) append_all_names(&words);
  if (U_SUCCESS(words.error)) append_hour(&words);
  if (U_SUCCESS(words.error)) append_relative(&words, UDAT_STYLE_LONG);
  if (U_SUCCESS(words.error)) append_relative(&words, UDAT_STYLE_SHORT);
  return cicu_lines_finish(words.lines, words.error, status);
}
