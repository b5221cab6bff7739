// SPDX-License-Identifier: Apache-2.0

import CivilTime
public import Foundation
package import Recurrence

/// The rule by which an event or a reminder recurs.
///
/// Only ``recurrenceEnd`` can change. The lists are in the order of iCalendar: by number, and days
/// of the week from Monday on. A rule of a file that EventKit cannot express is shown as far as
/// possible, and keeps all its parts.
///
/// Two rules are equal if they result in the same occurrences of any series.
open class EKRecurrenceRule: EKObject, NSCopying, @unchecked Sendable {
  /// The values for comparing.
  package struct Value: Hashable, Sendable {
    /// The rule without its end.
    package let pattern: RecurrenceRule
    package var end: EKRecurrenceEnd?
  }

  /// The rule of the file from which an object was created.
  struct Source: Sendable {
    let rule: RecurrenceRule
    let start: RuleStart
    let value: Value
  }

  private var fields: Value
  /// The rule in the file; nil for a rule that a program created.
  private(set) var source: Source?

  // A public initializer is the designated one, so that subclasses inherit all of them.
  convenience init(_ value: Value, source: Source? = nil) {
    self.init(recurrenceWith: .daily, interval: 1, end: nil)
    fields = value
    self.source = source
  }

  /// Creates a rule that repeats in every period.
  ///
  /// - Parameters:
  ///   - type: The period.
  ///   - interval: The number of periods from one repetition to the next. A number below 1 counts
  ///     as 1; Apple's EventKit raises an exception.
  ///   - end: The end; nil for none.
  public convenience init(
    recurrenceWith type: EKRecurrenceFrequency, interval: Int, end: EKRecurrenceEnd?
  ) {
    self.init(
      recurrenceWith: type, interval: interval, daysOfTheWeek: nil, daysOfTheMonth: nil,
      monthsOfTheYear: nil, weeksOfTheYear: nil, daysOfTheYear: nil, setPositions: nil, end: end)
  }

  /// Creates a rule that repeats on days of a period.
  ///
  /// The rule ignores arguments that do not fit the period, and numbers out of range.
  ///
  /// - Parameters:
  ///   - type: The period.
  ///   - interval: The number of periods from one repetition to the next. A number below 1 counts
  ///     as 1; Apple's EventKit raises an exception.
  ///   - days: The days of the week; not for days as the period.
  ///   - monthDays: The days of the month, from the end if they are negative; for months only.
  ///   - months: The months, from 1 through 12; for years only.
  ///   - weeks: The weeks of the year, from the end if they are negative; for years only.
  ///   - yearDays: The days of the year, from the end if they are negative; for years only.
  ///   - setPositions: The positions among the days that the other arguments select.
  ///   - end: The end; nil for none.
  public init(
    recurrenceWith type: EKRecurrenceFrequency, interval: Int,
    daysOfTheWeek days: [EKRecurrenceDayOfWeek]?, daysOfTheMonth monthDays: [NSNumber]?,
    monthsOfTheYear months: [NSNumber]?, weeksOfTheYear weeks: [NSNumber]?,
    daysOfTheYear yearDays: [NSNumber]?, setPositions: [NSNumber]?, end: EKRecurrenceEnd?
  ) {
    let arguments = RuleArguments(
      frequency: type, interval: interval, daysOfTheWeek: days, daysOfTheMonth: monthDays,
      monthsOfTheYear: months, weeksOfTheYear: weeks, daysOfTheYear: yearDays,
      setPositions: setPositions)
    fields = Value(pattern: RecurrenceRule(arguments), end: end)
    super.init()
  }

  /// Creates a rule that repeats in every period; the other spelling of the initializer.
  ///
  /// - Parameters:
  ///   - type: The period.
  ///   - interval: The number of periods from one repetition to the next.
  ///   - end: The end; nil for none.
  public convenience init(
    recurrenceWithFrequency type: EKRecurrenceFrequency, interval: Int, end: EKRecurrenceEnd?
  ) {
    self.init(recurrenceWith: type, interval: interval, end: end)
  }

  /// Creates a rule that repeats on days of a period; the other spelling of the initializer.
  ///
  /// - Parameters:
  ///   - type: The period.
  ///   - interval: The number of periods from one repetition to the next.
  ///   - days: The days of the week; not for days as the period.
  ///   - monthDays: The days of the month, from the end if they are negative; for months only.
  ///   - months: The months, from 1 through 12; for years only.
  ///   - weeks: The weeks of the year, from the end if they are negative; for years only.
  ///   - yearDays: The days of the year, from the end if they are negative; for years only.
  ///   - setPositions: The positions among the days that the other arguments select.
  ///   - end: The end; nil for none.
  public convenience init(
    recurrenceWithFrequency type: EKRecurrenceFrequency, interval: Int,
    daysOfTheWeek days: [EKRecurrenceDayOfWeek]?, daysOfTheMonth monthDays: [NSNumber]?,
    monthsOfTheYear months: [NSNumber]?, weeksOfTheYear weeks: [NSNumber]?,
    daysOfTheYear yearDays: [NSNumber]?, setPositions: [NSNumber]?, end: EKRecurrenceEnd?
  ) {
    self.init(
      recurrenceWith: type, interval: interval, daysOfTheWeek: days, daysOfTheMonth: monthDays,
      monthsOfTheYear: months, weeksOfTheYear: weeks, daysOfTheYear: yearDays,
      setPositions: setPositions, end: end)
  }

  /// The identifier of the calendar in which the rule counts, such as `gregorian`.
  open var calendarIdentifier: String { pattern.rscale?.lowercased() ?? "gregorian" }

  /// The end of the rule; nil for none.
  open var recurrenceEnd: EKRecurrenceEnd? {
    get { lock.withLock { fields.end } }
    set { lock.withLock { fields.end = newValue } }
  }

  /// The period.
  open var frequency: EKRecurrenceFrequency { shown.frequency }

  /// The number of periods from one repetition to the next, at least 1.
  open var interval: Int { shown.interval }

  /// The day on which weeks start, from 1 for Sunday through 7; 0 if it makes no difference.
  open var firstDayOfTheWeek: Int {
    let matters =
      (pattern.frequency == .weekly && pattern.interval > 1) || pattern.weekStart != .monday
    return matters ? EKWeekday(pattern.weekStart).rawValue : 0
  }

  /// The days of the week; nil for none.
  open var daysOfTheWeek: [EKRecurrenceDayOfWeek]? { shown.daysOfTheWeek }

  /// The days of the month, from the end if they are negative; nil for none.
  open var daysOfTheMonth: [NSNumber]? { shown.daysOfTheMonth }

  /// The days of the year, from the end if they are negative; nil for none.
  open var daysOfTheYear: [NSNumber]? { shown.daysOfTheYear }

  /// The weeks of the year, from the end if they are negative; nil for none.
  open var weeksOfTheYear: [NSNumber]? { shown.weeksOfTheYear }

  /// The months of the year; nil for none.
  open var monthsOfTheYear: [NSNumber]? { shown.monthsOfTheYear }

  /// The positions among the days that the other parts select; nil for none.
  open var setPositions: [NSNumber]? { shown.setPositions }

  /// A new rule with the same parts.
  open func copy(with zone: NSZone? = nil) -> Any { EKRecurrenceRule(value, source: source) }

  /// Whether an object is a rule with the same parts and the same end.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKRecurrenceRule).map { value == $0.value } ?? false
  }

  /// A hash of the parts and the end.
  open override var hash: Int { value.hashValue }

  /// The rule as the value of an RRULE property after the word RRULE, for debugging.
  ///
  /// Apple's EventKit has no other text of a rule, so that programs read this one. It has the same
  /// form: INTERVAL is always stated, the end comes next, and UNTIL is in UTC.
  open override var description: String {
    let value = value
    let pattern = value.pattern
    let end = value.end.flatMap { end -> String? in
      guard let date = end.endDate else { return "COUNT=\(end.occurrenceCount)" }
      return RuleStart(nil, in: .gmt).until(date).map { "UNTIL=\($0)" }
    }
    let rest = pattern.description.split(separator: ";").map(String.init)
      .filter { !$0.hasPrefix("FREQ=") && !$0.hasPrefix("INTERVAL=") }
    let parts = ["FREQ=\(pattern.frequency.rawValue)", "INTERVAL=\(pattern.interval)"]
    let rule = (parts + (end.map { [$0] } ?? []) + rest).joined(separator: ";")
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return "EKRecurrenceRule <0x\(address)> RRULE \(rule)"
  }

  /// Whether the rule is not from a file.
  open override var isNew: Bool { source == nil }

  /// Whether the rule differs from the one in the file.
  open override var hasChanges: Bool { value != source?.value }

  /// Returns to the end in the file; does nothing for a new rule.
  open override func reset() {
    guard let source else { return }
    recurrenceEnd = source.value.end
  }

  /// Returns to the end in the file; does nothing for a new rule.
  open override func rollback() { reset() }

  /// The rule without its end, which does not change.
  private var pattern: RecurrenceRule { value.pattern }
  private var shown: RuleArguments { RuleArguments(pattern) }

  /// The values for comparing.
  package var value: Value { lock.withLock { fields } }
}
