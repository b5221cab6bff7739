// SPDX-License-Identifier: Apache-2.0

// What takes place in a month, found by libical: each event is expanded by itself, and what an override
// replaces is left out here, because icalcomponent_foreach_recurrence knows nothing of overrides.

#include "libical_agenda.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An occurrence of an event with a rule, or one that an override replaces.
struct instance {
  const char *uid;
  time_t start;
};

struct instances {
  struct instance *all;
  size_t count, room;
};

static struct instances found, replaced;
static long single_count, single_minutes, count, minutes;
static bool has_looked;
static time_t month_start, month_end;

static void add(struct instances *list, const char *uid, time_t start) {
  if (list->count == list->room) {
    list->room = list->room ? list->room * 2 : 1024;
    list->all = realloc(list->all, list->room * sizeof *list->all);
    if (!list->all) exit(1);
  }
  list->all[list->count++] = (struct instance){uid, start};
}

static int compare(const void *left, const void *right) {
  const struct instance *one = left, *other = right;
  int order = strcmp(one->uid, other->uid);
  return order ? order : (one->start > other->start) - (one->start < other->start);
}

static void take(icalcomponent *event, struct icaltime_span *span, void *data) {
  const bool *has_rule = data;
  if (span->start < month_start || span->start >= month_end) return;
  if (*has_rule) {
    add(&found, icalcomponent_get_uid(event), span->start);
  } else {
    single_count++;
    single_minutes += span->start / 60;
  }
}

void find_occurrences(icalcomponent *calendar) {
  struct icaltimetype from = icaltime_from_string("20260601T000000Z");
  struct icaltimetype to = icaltime_from_string("20260701T000000Z");
  month_start = icaltime_as_timet(from);
  month_end = icaltime_as_timet(to);
  found.count = replaced.count = 0;
  single_count = single_minutes = 0;
  has_looked = true;
  for (icalcomponent *event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
       event; event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
    bool has_rule = icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY) != NULL;
    icalproperty *id = icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY);
    if (id) {
      struct icaltimetype time = icalproperty_get_datetime_with_component(id, event);
      add(&replaced, icalcomponent_get_uid(event), icaltime_as_timet_with_zone(time, time.zone));
    }
    icalcomponent_foreach_recurrence(event, from, to, take, &has_rule);
  }
  qsort(replaced.all, replaced.count, sizeof *replaced.all, compare);
  count = single_count;
  minutes = single_minutes;
  for (size_t index = 0; index < found.count; index++) {
    const struct instance *one = &found.all[index];
    if (replaced.count &&
        bsearch(one, replaced.all, replaced.count, sizeof *one, compare))
      continue;
    count++;
    minutes += one->start / 60;
  }
}

void print_agenda_answers(void) {
  if (has_looked) printf("answer juneOccurrences %ld\nanswer juneStartMinutes %ld\n", count, minutes);
}
