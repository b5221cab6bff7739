// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CalendarModel
import CivilTime
import ICalSyntax

/// Counts of the contents of events, reminders and journal entries.
struct ModelTally {
  private var events = 0
  private var reminders = 0
  private var journals = 0
  private var alarms = 0
  private var summaryBytes = 0
  private var eventStartDays = 0
  private var eventAttendees = 0
  private var eventExclusions = 0

  var answers: Answers {
    [
      .events: events, .reminders: reminders, .journals: journals, .alarms: alarms,
      .summaryBytes: summaryBytes, .eventStartDays: eventStartDays,
      .eventAttendees: eventAttendees, .eventExclusions: eventExclusions,
    ]
  }

  mutating func add(_ component: Component) {
    switch component.name {
    case .event:
      let event = Event(component)
      events += 1
      alarms += event.alarms.count
      summaryBytes += event.summary?.utf8.count ?? 0
      eventStartDays += event.start?.date.dayNumber ?? 0
      eventAttendees += event.attendees.count
      eventExclusions += event.recurrence.excludedDates.count
    case .reminder:
      let reminder = Reminder(component)
      reminders += 1
      alarms += reminder.alarms.count
      summaryBytes += reminder.summary?.utf8.count ?? 0
    case .journal:
      let journal = Journal(component)
      journals += 1
      summaryBytes += journal.summary?.utf8.count ?? 0
    default: break
    }
  }
}
