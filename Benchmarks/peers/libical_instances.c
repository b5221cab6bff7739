// SPDX-License-Identifier: Apache-2.0

// Expands rules with libical, for .ci/compare-recurrence: reads lines of a rule, a tab and a start, and
// prints for each its first instances with spaces between them, or why there are none.
//
// Each rule has a process of its own, because some of them make libical run for ever, or crash.

#include <libical/ical.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { limit = 20, milliseconds = 200 };

static void expand(const char *text, const char *begin) {
  struct icalrecurrencetype rule = icalrecurrencetype_from_string(text);
  if (rule.freq == ICAL_NO_RECURRENCE) {
    printf("refused: %s\n", icalerror_strerror(icalerrno));
    return;
  }
  icalrecur_iterator *iterator = icalrecur_iterator_new(rule, icaltime_from_string(begin));
  if (!iterator) {
    printf("refused: %s\n", icalerror_strerror(icalerrno));
    return;
  }
  for (int count = 0; count < limit; count++) {
    struct icaltimetype next = icalrecur_iterator_next(iterator);
    if (icaltime_is_null_time(next)) break;
    printf(count ? " %s" : "%s", icaltime_as_ical_string(next));
    fflush(stdout);
  }
  printf("\n");
}

int main(void) {
  char line[4096];
  icalerror_set_errors_are_fatal(0);
  while (fgets(line, sizeof line, stdin)) {
    char *start = strchr(line, '\t');
    if (!start) return 2;
    *start++ = 0;
    start[strcspn(start, "\t\n")] = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      setitimer(
          ITIMER_VIRTUAL, &(struct itimerval){.it_value = {.tv_usec = milliseconds * 1000}}, NULL);
      expand(line, start);
      fflush(stdout);
      _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status))
      printf(WTERMSIG(status) == SIGVTALRM ? " stopped\n" : " crashed\n");
  }
  return 0;
}
