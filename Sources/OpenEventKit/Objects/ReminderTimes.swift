// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax

extension ItemChange {
  /// Writes a changed start and due time.
  ///
  /// Both get one form, that of the due time: two dates, two floating times, or two instants (RFC
  /// 5545 §3.8.2.3). A start that is the due time is written like it, as Apple's Reminders does.
  func writeDates(to reminder: inout Reminder) {
    // Without its rules, a reminder is the occurrence that its object shows.
    let isSingle = changesRules && parts.rules.isEmpty
    guard before.dates != after.dates || isSingle else { return }
    let own = ReminderTimes(reminder, zones, definitions)
    var new = ReminderTimes(
      start: time(\.start, instead: own.start, isSingle: isSingle),
      due: time(\.due, instead: own.due, isSingle: isSingle))
    // A series that begins when it is due moves with the due time.
    if !isSingle, reminder.recurrence.isRecurring, own.start == own.due,
      before.dates.start == after.dates.start
    {
      new.start = new.due ?? new.start
    }
    guard new != own else { return }
    let statesStart = before.dates.start != after.dates.start
    new.unify(keepsStart: statesStart, zones, definitions)
    if new.isSame(zones, definitions) { new.start = new.due }
    // A duration depends on the start, and would move the due time with it.
    let dependsOnStart = reminder.due?.duration != nil && new.start != own.start
    if new.start != own.start { reminder.start = new.start }
    if new.due != own.due || dependsOnStart { reminder.due = new.due.map { .time($0) } }
  }

  /// The time to write for components, which may be those of a later occurrence of the series.
  private func time(
    _ field: KeyPath<ReminderDates, DateComponents?>, instead own: EventTime?, isSingle: Bool
  ) -> EventTime? {
    guard let components = after.dates[keyPath: field] else { return nil }
    let shown = before.dates[keyPath: field]
    let isOwn = shown == own.map { DateComponents($0, zones, definitions) }
    if shown == components, isOwn || !isSingle { return own }
    let new = eventTime(components)
    guard !isSingle, !isOwn, let new, let own, let shown = shown.flatMap({ eventTime($0) }),
      let from = zones.time(
        of: Date(zones.instant(of: shown, definitions)), like: new, definitions),
      let first = zones.time(of: Date(zones.instant(of: own, definitions)), like: new, definitions)
    else { return new }
    // The series moves by the distance of the occurrence.
    return StartMove(from: from, to: new).moved(first.wallTime) ?? new
  }
}

/// The start and the due time of a reminder in its file.
private struct ReminderTimes: Equatable {
  var start: EventTime?
  var due: EventTime?

  init(start: EventTime?, due: EventTime?) {
    (self.start, self.due) = (start, due)
  }

  /// Reads the times; a duration is added to the start.
  init(_ reminder: Reminder, _ zones: ItemZones, _ definitions: [Component]) {
    start = reminder.start
    switch reminder.due {
    case .time(let time)?: due = time
    case .duration(let duration)?:
      due = reminder.start.flatMap { zones.due(of: $0, after: duration, definitions) }
    case nil: due = nil
    }
  }

  /// Gives the start the form of the due time.
  ///
  /// - Parameters:
  ///   - keepsStart: Whether the program states the start now, so that its time of day must not be
  ///     dropped for a due date. Then the times stay as they are, and cannot be saved.
  ///   - zones: The zones.
  ///   - definitions: The definitions of time zones in the file.
  mutating func unify(keepsStart: Bool, _ zones: ItemZones, _ definitions: [Component]) {
    guard let start, let due else { return }
    switch (start, due) {
    case (.date, .date), (.floating, .floating), (.utc, .utc), (.utc, .zoned), (.zoned, .utc),
      (.zoned, .zoned):
      break
    case (.date(let day), _): self.start = due.at(CivilDateTime(day, .midnight))
    case (_, .date): if !keepsStart { self.start = .date(start.date) }
    default:
      let date = Date(zones.instant(of: start, definitions))
      self.start = zones.time(of: date, like: due, definitions) ?? start
    }
  }

  /// Whether both are the same day or the same instant.
  func isSame(_ zones: ItemZones, _ definitions: [Component]) -> Bool {
    guard let start, let due, start.isAllDay == due.isAllDay else { return false }
    return zones.instant(of: start, definitions) == zones.instant(of: due, definitions)
  }
}
