// SPDX-License-Identifier: Apache-2.0

#include "libical_rules.h"

#include <libical/ical.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct icalrecurrencetype rule;
static struct icaltimetype start, target;
static icaltimezone *zone;
static int limit;
static long instances, fields, seconds;
static bool has_fields, has_seconds;

void prepare_rule(const char *text) {
  char words[5][256];
  if (sscanf(text, "%255s %255s %255s %255s %255s", words[0], words[1], words[2], words[3],
             words[4]) != 5) {
    fprintf(stderr, "libical: expected a rule, a start, a zone, a count and a target\n");
    exit(2);
  }
  rule = icalrecurrencetype_from_string(words[0]);
  start = icaltime_from_string(words[1]);
  limit = atoi(words[3]);
  if (strcmp(words[2], "-") != 0) {
    zone = icaltimezone_get_builtin_timezone(words[2]);
    icaltime_set_timezone(&start, zone);
  }
  if (strcmp(words[4], "-") != 0) target = icaltime_from_string(words[4]);
  if (rule.freq == ICAL_NO_RECURRENCE || icaltime_is_null_time(start)) {
    fprintf(stderr, "libical: %s cannot be read\n", text);
    exit(1);
  }
}

static void add(struct icaltimetype time) {
  instances++;
  fields += ((time.year * 12L + time.month) * 31 + time.day) * 86400 + time.hour * 3600 +
            time.minute * 60 + time.second;
}

void expand(void) {
  instances = fields = 0;
  has_fields = true;
  icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
  while (instances < limit) {
    struct icaltimetype next = icalrecur_iterator_next(iterator);
    if (icaltime_is_null_time(next)) break;
    add(next);
  }
  icalrecur_iterator_free(iterator);
}

void expand_zoned(void) {
  instances = seconds = 0;
  has_seconds = true;
  icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
  while (instances < limit) {
    struct icaltimetype next = icalrecur_iterator_next(iterator);
    if (icaltime_is_null_time(next)) break;
    instances++;
    seconds += (long)icaltime_as_timet_with_zone(next, zone);
  }
  icalrecur_iterator_free(iterator);
}

void seek(void) {
  instances = fields = 0;
  has_fields = true;
  for (int day = 0; day < limit; day++) {
    struct icaltimetype from = target;
    icaltime_adjust(&from, day, 0, 0, 0);
    icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
    // It goes to the period that the time lies in, and may give what is before the time in it.
    if (icalrecur_iterator_set_start(iterator, from)) {
      struct icaltimetype next = icalrecur_iterator_next(iterator);
      while (!icaltime_is_null_time(next) && icaltime_compare(next, from) < 0)
        next = icalrecur_iterator_next(iterator);
      if (!icaltime_is_null_time(next)) add(next);
    }
    icalrecur_iterator_free(iterator);
  }
}

void print_rule_answers(void) {
  if (has_fields || has_seconds) printf("answer instances %ld\n", instances);
  if (has_fields) printf("answer instanceFields %ld\n", fields);
  if (has_seconds) printf("answer instanceSeconds %ld\n", seconds);
}
