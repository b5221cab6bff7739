// SPDX-License-Identifier: Apache-2.0

#if !Sync && !CommandLine
  #error(
    "Epact, CalendarStore and EventKit need the trait \"Sync\" of the package epact: write traits: [\"Sync\"] instead of traits: []"
  )
#endif
