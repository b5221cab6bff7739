// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime

/// The start and the due time of a reminder, each of which is written only if it is set.
///
/// A range, such as `7-9 dec` or `9:00-17:00`, sets both, whichever of them it is stated for.
extension DetailsWriter {
  /// Writes the times that are set.
  ///
  /// - Throws: `EpactError` if a time is stated twice, or does not fit the reminder.
  func writeTimes(of reminder: inout Reminder) throws(EpactError) {
    let (oldStart, oldDue) = (reminder.start, times.dueTime(of: reminder))
    if let new = details.end, let range = try range(new, from: oldDue ?? oldStart) {
      try expectOneRange(besides: details.start)
      try write(range, as: new, to: &reminder)
    } else if let new = details.start, let range = try range(new, from: oldStart ?? oldDue) {
      try expectOneRange(besides: details.end)
      try write(range, as: new, to: &reminder)
    } else {
      try writeDue(to: &reminder, from: start(since: oldStart, oldDue))
      try writeStart(to: &reminder, since: oldStart, due: oldDue)
    }
    try writeDuration(to: &reminder)
  }

  // MARK: Ranges

  /// The start and the due time of a range; nil for a single day or time.
  private func range(
    _ new: NewTime, from stored: EventTime?
  ) throws(EpactError) -> (start: Moment?, due: Moment)? {
    guard case .phrase(let phrase) = new, phrase.namesEnd else { return nil }
    return try resolved(phrase, from: stored.map(moment)).reminderTimes
  }

  private func expectOneRange(besides other: NewTime?) throws(EpactError) {
    guard other != nil || details.duration != nil else { return }
    throw EpactError(
      .argument, "expected one start and one due date or duration, found several",
      details: ["a range of days or times states both"])
  }

  private func write(
    _ range: (start: Moment?, due: Moment), as new: NewTime, to reminder: inout Reminder
  ) throws(EpactError) {
    let stored = self.times.dueTime(of: reminder) ?? reminder.start
    let times = times(for: new)
    let start = try range.start.map { start throws(EpactError) in
      try time(start, like: stored, in: reminder, by: times)
    }
    reminder.due = .time(try time(range.due, like: stored, in: reminder, by: times))
    // A series needs a start (RFC 5545 §3.8.5.3).
    reminder.start = start ?? (reminder.start == nil ? nil : reminder.dueTime)
  }

  // MARK: Single times

  /// The new start, from which a weekday of the due time counts; nil without one.
  private func start(
    since oldStart: EventTime?, _ oldDue: EventTime?
  ) throws(EpactError) -> EventTime? {
    switch details.start {
    case .removed?: return nil
    case let start?:
      let stored = oldStart ?? oldDue
      return try times(for: start).time(span(start, from: stored).start, like: stored)
    case nil: return oldStart
    }
  }

  private func writeDue(
    to reminder: inout Reminder, from start: EventTime?
  ) throws(EpactError) {
    let stored = times.dueTime(of: reminder) ?? reminder.start
    switch details.end {
    case .removed?: reminder.due = nil
    case let end?:
      let due =
        if case .phrase(let phrase) = end {
          try resolved(phrase, from: anchor(of: phrase, from: start, to: stored))
            .due(on: phrase.today)
        } else {
          try span(end, from: stored).start
        }
      reminder.due = .time(try time(due, like: stored, in: reminder, by: times(for: end)))
    case nil:
      guard let old = reminder.dueTime, details.zone != nil else { return }
      reminder.due = .time(try times.rezoned(old))
    }
  }

  private func writeStart(
    to reminder: inout Reminder, since oldStart: EventTime?, due oldDue: EventTime?
  ) throws(EpactError) {
    switch details.start {
    case .removed?: reminder.start = nil
    case let start?:
      let stored = oldStart ?? oldDue
      let moment = try span(start, from: stored).start
      reminder.start = try time(moment, like: stored, in: reminder, by: times(for: start))
    case nil:
      guard let old = oldStart else { return }
      // A series begins when its first occurrence is due.
      reminder.start =
        old == oldDue && reminder.due != nil ? reminder.dueTime : try times.rezoned(old)
    }
  }

  /// Writes the due time after a duration, whose last day is the due date of whole days.
  private func writeDuration(to reminder: inout Reminder) throws(EpactError) {
    guard let duration = details.duration, let start = reminder.start ?? reminder.due?.time else {
      return
    }
    reminder.start = start
    reminder.due = try times.end(after: duration, from: start)
    guard start.isAllDay, let last = reminder.dueTime?.date.adding(days: -1) else { return }
    reminder.due = .time(.date(last))
    if last == start.date, !isRecurring(reminder) { reminder.start = nil }
  }

  private func isRecurring(_ reminder: Reminder) -> Bool {
    details.repetition.map { !$0.isNone } ?? reminder.recurrence.isRecurring
  }
}
