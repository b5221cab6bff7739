// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport

/// The files of the calendars, which other programs change, too.
extension StoreScene {
  /// Writes an item as another program does.
  func put(_ item: String, as name: String, in calendar: String) throws {
    let lines = item.split(separator: "\n").map { $0 + "\r\n" }.joined()
    try folder.write(lines.utf8, to: "\(calendar)/\(name).ics")
  }

  /// Writes the series "Class" of an hour a week, five times from 2026-03-02 at nine in Berlin.
  func putClass() throws {
    try put(
      .event(
        """
        UID:series
        DTSTART;TZID=Europe/Berlin:20260302T090000
        DTEND;TZID=Europe/Berlin:20260302T100000
        RRULE:FREQ=WEEKLY;COUNT=5
        SUMMARY:Class
        """), as: "series", in: "home")
  }

  /// Writes an event of an hour on 2026-11-25 as another program does.
  func write(
    _ title: String, to calendar: String, as uid: String? = nil, hour: Int = 12, rule: String? = nil
  ) throws {
    let times = "DTSTART:20261125T\(hour)0000Z\nDTEND:20261125T\(hour + 1)0000Z"
    let item = String.event(
      "UID:\(uid ?? title)\n\(times)\nSUMMARY:\(title)" + (rule.map { "\nRRULE:\($0)" } ?? ""))
    try put(item, as: uid ?? title, in: calendar)
  }

  /// Removes a file or a folder as another program does.
  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: path))
  }

  /// The text of an item's file, with simple ends of lines.
  func text(_ name: String, in calendar: String) throws -> String {
    let bytes = try folder.bytes(of: "\(calendar)/\(name).ics")
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// The names of the items in a calendar.
  func names(in calendar: String) throws -> [String] {
    try folder.names(in: calendar).filter { $0.hasSuffix(".ics") }.map { String($0.dropLast(4)) }
  }

  /// The texts of a calendar's files, in the order of their names.
  func texts(in calendar: String) throws -> [String] {
    try names(in: calendar).map { try text($0, in: calendar) }
  }

  /// The text of the only item in a calendar.
  func onlyText(in calendar: String) throws -> String {
    let texts = try texts(in: calendar)
    guard texts.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    return texts[0]
  }

  /// The object of a calendar.
  static func calendar(_ name: String, in store: EKEventStore) throws -> EKCalendar {
    let all = store.calendars(for: .event) + store.calendars(for: .reminder)
    guard let calendar = all.first(where: { $0.title == name }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return calendar
  }
}

extension TemporaryFolder {
  /// The names in a folder of this folder, in the order of their letters.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(of: name)).sorted()
  }
}

extension EKEventStore {
  /// A new event in a calendar.
  func newEvent(
    _ title: String, _ start: Date, _ end: Date, in calendar: EKCalendar?
  ) -> EKEvent {
    let event = EKEvent(eventStore: self)
    event.title = title
    event.startDate = start
    event.endDate = end
    event.calendar = calendar
    return event
  }

  /// A new event of an hour in the calendar with a name, or else in the default one.
  func newLunch(in name: String? = nil) -> EKEvent {
    let named = name.flatMap { name in calendars(for: .event).first { $0.title == name } }
    return newEvent(
      "Lunch", StoreScene.noon, StoreScene.noon.addingTimeInterval(3600),
      in: named ?? defaultCalendarForNewEvents)
  }

  /// A predicate for the week around the time of new lunches.
  var week: NSPredicate {
    predicateForEvents(
      withStart: StoreScene.noon.addingTimeInterval(-86_400),
      end: StoreScene.noon.addingTimeInterval(7 * 86_400), calendars: nil)
  }

  /// The events of that week.
  var lunches: [EKEvent] { events(matching: week) }

  /// The events of the year 2026, in the order of their start.
  func eventsOf2026(in calendars: [EKCalendar]? = nil) -> [EKEvent] {
    let predicate = predicateForEvents(
      withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2027, 1, 1),
      calendars: calendars)
    return events(matching: predicate).sorted { $0.compareStartDate(with: $1) == .orderedAscending }
  }

  /// A predicate for all completed reminders.
  var completed: NSPredicate {
    predicateForCompletedReminders(withCompletionDateStarting: nil, ending: nil, calendars: nil)
  }

  /// A predicate for all incomplete reminders.
  var incomplete: NSPredicate {
    predicateForIncompleteReminders(withDueDateStarting: nil, ending: nil, calendars: nil)
  }

  /// The reminders that match a predicate, or all; nil without access.
  func reminders(matching predicate: NSPredicate? = nil) async -> [EKReminder]? {
    await withCheckedContinuation { continuation in
      fetchReminders(matching: predicate ?? predicateForReminders(in: nil)) {
        continuation.resume(returning: $0)
      }
    }
  }
}

extension String {
  /// An event as a file: its properties in a calendar.
  static func event(_ properties: String) -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//Test//EN
    BEGIN:VEVENT
    DTSTAMP:20260101T000000Z
    \(properties)
    END:VEVENT
    END:VCALENDAR
    """
  }

  /// A reminder as a file: its properties in a calendar.
  static func reminder(_ properties: String) -> String {
    event(properties).replacing("VEVENT", with: "VTODO")
  }

  /// The lines that contain a text.
  func lines(with text: String) -> [String] {
    split(separator: "\n").map(String.init).filter { $0.contains(text) }
  }
}
