// SPDX-License-Identifier: Apache-2.0

import EventKit

// Adds a class to the user's calendar: the title, and the start as seconds since 1970.
let arguments = CommandLine.arguments
guard arguments.count == 3, let seconds = TimeInterval(arguments[2]) else {
  print("usage: booking TITLE SECONDS")
  exit(64)
}

let store = EKEventStore()
guard try await store.requestWriteOnlyAccessToEvents() else {
  print("The class is booked, and not in your calendar.")
  exit(1)
}

let event = EKEvent(eventStore: store)
event.title = arguments[1]
event.startDate = Date(timeIntervalSince1970: seconds)
event.endDate = event.startDate.addingTimeInterval(3600)
event.calendar = store.defaultCalendarForNewEvents
event.addAlarm(EKAlarm(relativeOffset: -1800))
try store.save(event, span: .thisEvent)
print("In your calendar: \(event.title ?? "")")
