// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
package import Recurrence

/// The start of an item, as far as its rules depend on it: UNTIL has the type of the start.
package struct RuleStart: Hashable, Sendable {
  /// The type of the start.
  enum Form: Hashable, Sendable {
    /// A date; UNTIL is one too.
    case date
    /// A time without a zone; UNTIL is one too.
    case floating
    /// A time in UTC or in a zone; UNTIL is in UTC.
    case instant
  }

  let form: Form
  /// The zone of the start, or the default zone for a date and for a time without a zone.
  let timeZone: TimeZone

  /// Creates the start from the time of an item.
  ///
  /// - Parameters:
  ///   - time: The start of the item; nil if it has none.
  ///   - timeZone: The zone of the start, or the default zone for times without a zone.
  package init(_ time: EventTime?, in timeZone: TimeZone) {
    form =
      switch time {
      case .date: .date
      case .floating: .floating
      case .utc, .zoned, nil: .instant
      }
    self.timeZone = timeZone
  }

  /// The date of an UNTIL part: the latest start of an occurrence.
  func date(of until: RecurrenceRule.Until) -> Date {
    switch until {
    case .utc(let time): Date(time.instant(at: .zero))
    case .local(let time): date(time)
    // The last day counts as a whole if the occurrences have times.
    case .date(let date):
      self.date(CivilDateTime(date, form == .date ? .midnight : Self.lastSecond))
    }
  }

  /// The UNTIL part for a date, of the type that the start requires.
  ///
  /// A date beyond the year 9999 is no limit, and a date before the year 1 is its first second.
  func until(_ date: Date) -> RecurrenceRule.Until? {
    guard let instant = Instant(date), let time = civil(instant) else {
      guard date.timeIntervalSinceReferenceDate < 0,
        let first = CivilDateTime(year: 1, month: 1, day: 1, hour: 0, minute: 0)
      else { return nil }
      return until(first)
    }
    return until(time)
  }

  private func until(_ time: CivilDateTime) -> RecurrenceRule.Until {
    switch form {
    case .date: .date(time.date)
    case .floating: .local(time)
    case .instant: .utc(time)
    }
  }

  private static let lastSecond = TimeOfDay(hour: 23, minute: 59, second: 59) ?? .midnight

  /// The wall-clock time of an instant, in UTC if UNTIL is.
  private func civil(_ instant: Instant) -> CivilDateTime? {
    guard form != .instant else { return instant.civil() }
    let offset = timeZone.secondsFromGMT(for: Date(instant))
    return UTCOffset(seconds: offset).flatMap { instant.civil(at: $0) }
  }

  /// The date of a wall-clock time in the zone.
  private func date(_ time: CivilDateTime) -> Date {
    let wall = Date(time.instant(at: .zero))
    let first = wall.addingTimeInterval(-TimeInterval(timeZone.secondsFromGMT(for: wall)))
    return wall.addingTimeInterval(-TimeInterval(timeZone.secondsFromGMT(for: first)))
  }
}

extension EKRecurrenceRule {
  /// Creates the object for a rule of a file.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start of the item.
  package convenience init(_ rule: RecurrenceRule, start: RuleStart) {
    // With both parts, which the RFC forbids, the number is shown.
    let end =
      rule.count.map { EKRecurrenceEnd(occurrenceCount: $0) }
      ?? rule.until.map { EKRecurrenceEnd(end: start.date(of: $0)) }
    let value = Value(pattern: rule.pattern, end: end)
    self.init(value, source: Source(rule: rule, start: start, value: value))
  }

  /// Returns the rule for a file.
  ///
  /// A rule of a file without changes is returned as it was, also if EventKit cannot express it.
  ///
  /// - Parameter start: The start of the item into which the rule is written.
  /// - Returns: The rule.
  package func model(start: RuleStart) -> RecurrenceRule {
    let value = value
    if let source, source.value == value, source.start.form == start.form { return source.rule }
    guard let end = value.end else { return value.pattern }
    guard let date = end.endDate else {
      return value.pattern.ending("COUNT=\(min(end.occurrenceCount, Int(Int32.max)))")
    }
    return value.pattern.ending(start.until(date).map { "UNTIL=\($0)" })
  }

  /// Whether the initializers of the class can create the rule.
  ///
  /// The rules of EventKit have no frequency below daily, no times of the day and no other calendar
  /// than the Gregorian one, among others.
  package var isExpressible: Bool {
    let pattern = value.pattern
    let hasOneEnd = source.map { $0.rule.count == nil || $0.rule.until == nil } ?? true
    return hasOneEnd && RecurrenceRule(RuleArguments(pattern)) == pattern
  }
}
