// SPDX-License-Identifier: Apache-2.0

import EventKit

// Prints the events of the next seven days, and the reminders that are due in them.
let store = EKEventStore()
guard try await store.requestFullAccessToEvents() else {
  print("Without access to the calendars there is no agenda.")
  exit(1)
}

let calendar = Calendar(identifier: .gregorian)
let start = calendar.startOfDay(for: Date())
let end = calendar.date(byAdding: .day, value: 7, to: start) ?? start
let predicate = store.predicateForEvents(withStart: start, end: end, calendars: nil)
let events = store.events(matching: predicate)
  .sorted { $0.compareStartDate(with: $1) == .orderedAscending }
for event in events {
  let time = event.isAllDay ? "all day" : event.startDate.ISO8601Format()
  print("\(time)  \(event.title ?? "")  (\(event.calendar.title))")
}

guard try await store.requestFullAccessToReminders() else { exit(0) }
let due = store.predicateForIncompleteReminders(
  withDueDateStarting: nil, ending: end, calendars: nil)
let reminders = await withCheckedContinuation { continuation in
  store.fetchReminders(matching: due) { continuation.resume(returning: $0 ?? []) }
}
for reminder in reminders { print("to do  \(reminder.title ?? "")") }
