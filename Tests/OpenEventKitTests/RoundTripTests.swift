// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Items that are loaded, set to what they are, and saved: no byte of a file changes.
///
/// `EPACT_ITERATIONS` in the environment multiplies the number of items.
@Suite("Round trips", .timeLimit(.minutes(30)))
struct RoundTripTests {
  private static let years: [TimeInterval] = [-12, -8, -4, 0, 4].map { $0 * 365 * 86_400 }

  @Test("Generated items stay as they are")
  func generated() async throws {
    let sandbox = try StoreSandbox()
    for seed in 0..<UInt64(100 * iterationFactor) {
      var random = SeededGenerator(seed: seed)
      let text = String(decoding: ItemDraft.random(&random).item.serialized(), as: UTF8.self)
      let named = text.replacing("UID:draft@example.org", with: "UID:item-\(seed)")
      try sandbox.folder.write(named.utf8, to: "home/item-\(seed).ics")
    }
    #expect(try await saveUnchanged(in: sandbox) > 100)
  }

  @Test("Files of other programs stay as they are")
  func realWorld() async throws {
    let sandbox = try StoreSandbox()
    var number = 0
    for folder in ["real-world", "quirks", "timezones", "valid"] {
      for fixture in try Fixture.calendars(in: folder) {
        guard let item = try? CalendarItem(parsing: fixture.bytes) else { continue }
        guard item.kind == .event || item.kind == .reminder else { continue }
        number += 1
        try sandbox.folder.write(fixture.bytes, to: "home/\(number).ics")
      }
    }
    #expect(number > 20)
    #expect(try await saveUnchanged(in: sandbox) > 20)
  }

  /// Sets all fields of all objects to what they are, and saves them.
  ///
  /// - Returns: The number of objects.
  private func saveUnchanged(in sandbox: StoreSandbox) async throws -> Int {
    try sandbox.grant(.full, for: .event)
    try sandbox.grant(.full, for: .reminder)
    let names = try sandbox.folder.names(in: "home")
    let before = try names.map { try sandbox.folder.bytes(of: "home/\($0)") }
    let store = sandbox.store()
    var count = 0
    for start in Self.years.map(StoreSandbox.noon.addingTimeInterval) {
      let predicate = store.predicateForEvents(
        withStart: start, end: start.addingTimeInterval(4 * 365 * 86_400), calendars: nil)
      var seen: Set<String> = []
      for event in store.events(matching: predicate) {
        // Some occurrences of each series are enough.
        guard seen.insert("\(event.calendarItemIdentifier) \(count % 3)").inserted else { continue }
        setUnchanged(event)
        #expect(!event.hasChanges)
        try store.save(event, span: count.isMultiple(of: 2) ? .thisEvent : .futureEvents)
        count += 1
      }
    }
    for reminder in await sandbox.reminders(in: store) ?? [] {
      setUnchanged(reminder)
      #expect(!reminder.hasChanges)
      try store.save(reminder, commit: true)
      count += 1
    }
    #expect(try sandbox.folder.names(in: "home") == names)
    for (name, bytes) in zip(names, before) {
      #expect(try sandbox.folder.bytes(of: "home/\(name)") == bytes, "\(name)")
    }
    return count
  }

  private func setUnchanged(_ event: EKEvent) {
    setUnchanged(item: event)
    event.isAllDay = event.isAllDay
    event.startDate = event.startDate
    event.endDate = event.endDate
    event.structuredLocation = event.structuredLocation
    event.availability = event.availability
  }

  private func setUnchanged(_ reminder: EKReminder) {
    setUnchanged(item: reminder)
    reminder.startDateComponents = reminder.startDateComponents
    reminder.dueDateComponents = reminder.dueDateComponents
    reminder.isCompleted = reminder.isCompleted
    reminder.completionDate = reminder.completionDate
    reminder.priority = reminder.priority
  }

  private func setUnchanged(item: EKCalendarItem) {
    item.calendar = item.calendar
    item.title = item.title
    item.location = item.location
    item.notes = item.notes
    item.url = item.url
    item.timeZone = item.timeZone
    item.alarms = item.alarms
    item.recurrenceRules = item.recurrenceRules
  }
}
