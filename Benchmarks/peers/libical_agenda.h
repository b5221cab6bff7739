// SPDX-License-Identifier: Apache-2.0

// The part of libical's work that is about what takes place when; see Runner/Workloads+Agenda.swift.

#pragma once

#include <libical/ical.h>

/// Finds the occurrences of events that start in June 2026 in UTC.
void find_occurrences(icalcomponent *calendar);

/// Prints what was found; nothing if nothing was looked for.
void print_agenda_answers(void);
