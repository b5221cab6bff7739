// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import Recurrence

/// The move of a series or an item from one start to another, on the clock of the old start.
///
/// ```swift
/// let move = StartMove(from: start, to: .floating(noon))
/// let moved = move.moved(christmas)   // as many days after the new start as after the old one
/// ```
///
/// Times that depend on the start keep their distance to it on the clock: dates of the series, its
/// overrides, the end of its rule. Which of them move is a decision of those who edit or merge.
package struct StartMove: Hashable, Sendable {
  private let before: EventTime
  private let after: EventTime

  /// Creates a move.
  ///
  /// - Parameters:
  ///   - before: The old start, on the clock of the times that are moved.
  ///   - after: The new start.
  package init(from before: EventTime, to after: EventTime) {
    (self.before, self.after) = (before, after)
  }

  /// The number of days from the old start to the new one.
  package var days: Int { after.date.dayNumber - before.date.dayNumber }

  /// The moved day; nil outside of the calendar.
  package func moved(_ date: CivilDate) -> CivilDate? { date.adding(days: days) }

  /// The moved time in the form of the new start; nil outside of the calendar.
  ///
  /// If one start is a day and the other a time, days are moved by days, and get the time of the
  /// new start.
  package func moved(_ wall: CivilDateTime) -> EventTime? {
    if before.isAllDay || after.isAllDay {
      return moved(wall.date).map { after.at(CivilDateTime($0, after.wallTime.time)) }
    }
    let distance = after.wallTime.wallSeconds - before.wallTime.wallSeconds
    return wall.adding(seconds: distance).map { after.at($0) }
  }

  /// The moved UNTIL of a rule (RFC 5545 §3.3.10); nil outside of the calendar.
  ///
  /// An UNTIL at the end of a day includes the whole day, and stays at the end of the moved day,
  /// unless the rule has several instances a day.
  package func movedUntil(_ wall: CivilDateTime, of rule: RecurrenceRule) -> EventTime? {
    guard wall.time == Self.endOfDay, rule.keepsTimeOfDay, !after.isAllDay else {
      return moved(wall)
    }
    return moved(wall.date).map { after.at(CivilDateTime($0, wall.time)) }
  }

  private static var endOfDay: TimeOfDay? { TimeOfDay(hour: 23, minute: 59, second: 59) }
}

extension RecurrenceRule {
  /// Whether all instances have the time of day of the start.
  fileprivate var keepsTimeOfDay: Bool {
    guard byHour.isEmpty, byMinute.isEmpty, bySecond.isEmpty else { return false }
    switch frequency {
    case .hourly, .minutely, .secondly: return false
    case .daily, .weekly, .monthly, .yearly: return true
    }
  }
}
