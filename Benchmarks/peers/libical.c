// SPDX-License-Identifier: Apache-2.0

// The work of the benchmarks, done by libical; called and answering as Runner/Worker.swift says:
//
//   libical lines|typed|canonical|whole|files|agenda INPUT samples|passes NUMBER
//   libical expand|expand-zoned|seek RULE samples|passes NUMBER
//
// libical makes a property of its own of each value of a list, so what it calls properties are our
// values; and it drops what it cannot read, so any X-LIC-ERROR ends the program.

#include "libical_agenda.h"
#include "libical_rules.h"

#include <libical/ical.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

struct answers {
  long lines, components, events, reminders, journals, alarms, values, summaryBytes, eventStartDays;
};

static const char *input;
static char *text;                 // the bytes of the input, and a zero
static icalcomponent *kept;        // the tree that `whole` keeps and `canonical` writes
static char *written;              // what `canonical` wrote
static struct answers found;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "libical: %s: %s\n", input, what);
  exit(1);
}

// All bytes of a file and a zero behind them; NULL if there is no such file.
static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  struct stat status;
  if (fstat(fileno(file), &status) != 0) fail("has no size");
  char *bytes = malloc((size_t)status.st_size + 1);
  if (!bytes || fread(bytes, 1, (size_t)status.st_size, file) != (size_t)status.st_size)
    fail("cannot be read");
  bytes[status.st_size] = 0;
  fclose(file);
  return bytes;
}

// Days since 1970-01-01.
static long day(struct icaltimetype time) {
  static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  long years = time.year - 1, leapDays = years / 4 - years / 100 + years / 400;
  int isLeapYear = (time.year % 4 == 0 && time.year % 100 != 0) || time.year % 400 == 0;
  return years * 365 + leapDays - 719162 + before[time.month - 1] +
         (isLeapYear && time.month > 2) + time.day - 1;
}

static void add(icalcomponent *component) {
  icalcomponent_kind kind = icalcomponent_isa(component);
  found.components++;
  found.events += kind == ICAL_VEVENT_COMPONENT;
  found.reminders += kind == ICAL_VTODO_COMPONENT;
  found.journals += kind == ICAL_VJOURNAL_COMPONENT;
  found.alarms += kind == ICAL_VALARM_COMPONENT;
  for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY);
       property; property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
    found.values++;
    switch (icalproperty_isa(property)) {
    case ICAL_XLICERROR_PROPERTY: fail(icalproperty_get_xlicerror(property));
    case ICAL_GEO_PROPERTY: found.values++; break;  // latitude and longitude
    case ICAL_SUMMARY_PROPERTY:
      found.summaryBytes += (long)strlen(icalproperty_get_summary(property));
      break;
    case ICAL_DTSTART_PROPERTY:
      if (kind == ICAL_VEVENT_COMPONENT)
        found.eventStartDays += day(icalproperty_get_dtstart(property));
      break;
    default: break;
    }
  }
  for (icalcomponent *nested = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT);
       nested; nested = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
    add(nested);
}

static icalcomponent *parse(const char *bytes) {
  icalcomponent *component = icalparser_parse_string(bytes);
  if (!component) fail("nothing was parsed");
  return component;
}

// Gives the parser the next physical line, or as much of it as fits.
static char *next_physical_line(char *buffer, size_t size, void *data) {
  const char **next = data;
  if (!**next) return NULL;
  const char *end = strchr(*next, '\n');
  size_t count = end ? (size_t)(end + 1 - *next) : strlen(*next);
  if (count > size - 1) count = size - 1;
  memcpy(buffer, *next, count);
  buffer[count] = 0;
  *next += count;
  return buffer;
}

static void lines(void) {
  const char *next = text;
  icalparser *parser = icalparser_new();
  icalparser_set_gen_data(parser, &next);
  for (char *line; (line = icalparser_get_line(parser, next_physical_line));) {
    found.lines += *line != 0;
    icalmemory_free_buffer(line);
  }
  icalparser_free(parser);
}

static void typed(void) {
  icalcomponent *component = parse(text);
  add(component);
  icalcomponent_free(component);
}

static void canonical(void) {
  free(written);
  written = icalcomponent_as_ical_string_r(kept);
}

static void whole(void) {
  char *bytes = contents(input);
  if (!bytes) fail("cannot be opened");
  if (kept) icalcomponent_free(kept);
  kept = parse(bytes);
  free(bytes);
  add(kept);
}

static void agenda(void) {
  char *bytes = contents(input);
  if (!bytes) fail("cannot be opened");
  if (kept) icalcomponent_free(kept);
  kept = parse(bytes);
  free(bytes);
  find_occurrences(kept);
}

static void files(void) {
  char path[4096];
  for (int number = 0;; number++) {
    snprintf(path, sizeof path, "%s/%d.ics", input, number);
    char *bytes = contents(path);
    if (!bytes) return;
    icalcomponent *component = parse(bytes);
    add(component);
    icalcomponent_free(component);
    free(bytes);
  }
}

// User and system time so far, in seconds.
static void now(double *user, double *system) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  *user = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
  *system = (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
}

static void pass(void (*work)(void)) {
  memset(&found, 0, sizeof found);
  work();
}

static void measure(void (*work)(void), int samples) {
  double user, system, laterUser, laterSystem;
  now(&user, &system);
  int warmUps = 0;
  do {
    pass(work);
    warmUps++;
    now(&laterUser, &laterSystem);
  } while (laterUser + laterSystem - user - system < 0.1);
  int passes = (int)(0.1 * warmUps / (laterUser + laterSystem - user - system)) + 1;
  for (int sample = 0; sample < samples; sample++) {
    now(&user, &system);
    for (int number = 0; number < passes; number++) pass(work);
    now(&laterUser, &laterSystem);
    printf("sample %d %f %f\n", passes, laterUser - user, laterSystem - system);
  }
}

static void print_answers(void) {
  if (found.lines) printf("answer lines %ld\n", found.lines);
  if (written) {
    // It folds and spells differently, so its lines are not ours; its components are.
    long components = 0;
    for (const char *next = written; (next = strstr(next, "BEGIN:")); next++)
      components += next == written || next[-1] == '\n';
    printf("answer components %ld\n", components);
  } else if (found.components) {
    printf("answer components %ld\nanswer events %ld\n", found.components, found.events);
    printf("answer reminders %ld\nanswer journals %ld\n", found.reminders, found.journals);
    printf("answer alarms %ld\nanswer values %ld\n", found.alarms, found.values);
    printf("answer summaryBytes %ld\n", found.summaryBytes);
    printf("answer eventStartDays %ld\n", found.eventStartDays);
  }
  print_agenda_answers();
  print_rule_answers();
}

static void print_peak(void) {
  char line[256];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &kilobytes);
  printf("peak %ld\n", kilobytes * 1024);
}

int main(int count, char **words) {
  static const struct {
    const char *name;
    void (*work)(void);
  } all[] = {{"lines", lines}, {"typed", typed}, {"canonical", canonical},
             {"whole", whole}, {"files", files}, {"agenda", agenda}, {"expand", expand},
             {"expand-zoned", expand_zoned}, {"seek", seek}};
  int number = count == 5 ? atoi(words[4]) : 0;
  for (size_t index = 0; number > 0 && index < sizeof all / sizeof *all; index++) {
    if (strcmp(words[1], all[index].name) != 0) continue;
    void (*work)(void) = all[index].work;
    input = words[2];
    bool is_rule = work == expand || work == expand_zoned || work == seek;
    bool is_text = !is_rule && work != whole && work != files && work != agenda;
    if (is_text && !(text = contents(input))) fail("cannot be opened");
    if (is_rule) prepare_rule(input);
    icalerror_set_errors_are_fatal(0);
    if (work == canonical) kept = parse(text);
    if (strcmp(words[3], "samples") == 0) measure(work, number);
    else while (number-- > 0) pass(work);
    print_answers();
    print_peak();
    return 0;
  }
  fprintf(stderr, "usage: libical WORK INPUT samples|passes NUMBER\n");
  return 2;
}
