// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

extension StoreCore {
  /// The query of a predicate of this store; others match nothing, where Apple's EventKit raises an
  /// exception.
  func query(_ predicate: NSPredicate) -> StoreQuery? {
    guard let own = predicate as? StorePredicate, own.owner == ObjectIdentifier(self) else {
      report("a query of the calendars has a predicate that its store did not make")
      return nil
    }
    return own.query
  }

  /// A predicate for the events in a range of time, of which the first four years count.
  func eventPredicate(_ start: Date, _ end: Date, _ calendars: [EKCalendar]?) -> NSPredicate {
    var calendar = ItemZones.gregorian
    calendar.timeZone = zones.viewer
    let limit = calendar.date(byAdding: .year, value: 4, to: start) ?? end
    let lower = Instant(start) ?? Instant(secondsSinceEpoch: 0)
    // A range that ends within a second includes the second.
    let seconds = min(end, limit).timeIntervalSinceReferenceDate.rounded(.up)
    var upper = Instant(Date(timeIntervalSinceReferenceDate: seconds)) ?? lower
    // A range without a length asks for what is going on at its instant.
    if start == end { upper = lower.adding(seconds: 1) ?? lower }
    return StorePredicate(.events(lower..<max(lower, upper)), in: calendars, of: self)
  }

  /// The events that match a predicate; none without full access.
  func events(matching predicate: NSPredicate) -> [EKEvent] {
    guard let query = query(predicate), case .events(let range) = query.items, !range.isEmpty else {
      return []
    }
    return lock.withLock {
      guard case .full(let library) = gate.session(for: .event) else { return [] }
      gate.note(.readItems, for: .event)
      return events(in: range, where: query.includes, library)
    }
  }

  /// The event with an identifier; nil without full access.
  func event(withIdentifier identifier: String) -> EKEvent? {
    lock.withLock {
      guard case .full(let library) = gate.session(for: .event) else { return nil }
      gate.note(.readItems, for: .event)
      let calendars = knownCalendars(in: library)
      for parts in ItemIdentifier.parts(of: identifier) {
        guard let calendar = calendars.first(where: { $0.id == parts.calendar }),
          let found = reading(calendar, { try item(parts.uid, in: calendar, library) }) ?? nil,
          let event = event(of: found, in: calendar, at: parts.start)
        else { continue }
        return event
      }
      return nil
    }
  }

  /// The events and reminders that the program may read and that a condition selects.
  func items(where isWanted: (UID, StoreCalendar) -> Bool) -> [EKCalendarItem] {
    lock.withLock {
      guard let access = gate.fullAccess else { return [] }
      for entity in access.entities { gate.note(.readItems, for: entity) }
      let kinds = Set(access.entities.map(\.kind))
      var result: [EKCalendarItem] = []
      for calendar in knownCalendars(in: access.library) {
        let items = reading(calendar) {
          try self.items(of: calendar, kinds: kinds, access.library) { isWanted($0, calendar) }
        }
        for found in items ?? [] {
          if let object = object(of: found, in: calendar) { result.append(object) }
        }
      }
      return result
    }
  }

  /// The item with an identifier, or with one that it had in another calendar.
  func item(withIdentifier identifier: String) -> EKCalendarItem? {
    lock.withLock {
      let found = items { ItemIdentifier.local($0, in: $1.id) == identifier }
      if let item = found.first { return item }
      guard let access = gate.fullAccess else { return nil }
      let calendars = knownCalendars(in: access.library).map(\.id)
      let moved = items { uid, _ in
        calendars.contains { ItemIdentifier.local(uid, in: $0) == identifier }
      }
      return moved.first
    }
  }

  /// Reads from a calendar; an error is reported, and the result is nil then.
  func reading<Result>(_ calendar: StoreCalendar, _ body: () throws -> Result) -> Result? {
    gate.failures.catching("the calendar \"\(calendar.title)\" cannot be read", body)
  }

  // MARK: Reminders

  /// The committed reminders that match a predicate, in a stable order.
  ///
  /// - Returns: The reminders; nil without access, and after an error, which is reported: some
  ///   reminders instead of all would look like fewer things to do.
  func reminders(matching query: StoreQuery) -> [EKReminder]? {
    lock.withLock {
      guard case .full(let library) = gate.session(for: .reminder) else { return nil }
      gate.note(.readItems, for: .reminder)
      let calendars = gate.failures.catching(Self.listing) { try self.calendars(in: library) }
      guard let calendars else { return nil }
      var result: [EKReminder] = []
      for calendar in calendars where query.includes(calendar) {
        let items = reading(calendar) {
          try calendar.info.map { try committedItems(of: $0, kinds: [.reminder], library) } ?? []
        }
        guard let items else { return nil }
        for found in items.sorted(by: { $0.item.uid < $1.item.uid }) {
          guard let reminder = reminder(of: found, in: calendar) else { continue }
          if matches(reminder, query.items) { result.append(reminder) }
        }
      }
      return result
    }
  }

  private func matches(_ reminder: EKReminder, _ query: StoreQuery.Items) -> Bool {
    switch query {
    case .events: return false
    case .reminders: return true
    case .incomplete(let from, let until):
      guard !reminder.isCompleted else { return false }
      guard from != nil || until != nil else { return true }
      return Self.contains(due(of: reminder), from, until)
    case .completed(let from, let until):
      guard reminder.isCompleted else { return false }
      guard from != nil || until != nil else { return true }
      return Self.contains(reminder.completionDate, from, until)
    }
  }

  private static func contains(_ date: Date?, _ from: Date?, _ until: Date?) -> Bool {
    guard let date else { return false }
    return from.map { date >= $0 } ?? true && until.map { date <= $0 } ?? true
  }

  /// The due date, in the default time zone if it floats.
  private func due(of reminder: EKReminder) -> Date? {
    guard var components = reminder.dueDateComponents else { return nil }
    if components.timeZone == nil { components.timeZone = zones.viewer }
    return components.date
  }
}
