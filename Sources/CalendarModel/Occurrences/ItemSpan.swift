// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax
import Recurrence

extension CalendarItem {
  /// The version of the code that finds the UID, the kind and the span of an item.
  ///
  /// Indexes on disk store them. Every change of the results for any bytes increments it.
  package static let spanVersion = 1

  /// A range of time that contains all occurrences, in every time zone of a viewer.
  ///
  /// It is a few days longer than necessary, so that it can be computed without the rules of time
  /// zones. A series without a known end ends in the distant future. Nil if no component has a
  /// time.
  public var span: Range<Instant>? {
    var span = SpanBuilder()
    for component in components { span.add(component) }
    return span.range
  }
}

/// The times of an item, as seconds on a clock in UTC.
private struct SpanBuilder {
  /// The difference between a time in any zone and the same time in UTC, at each end of a range,
  /// and at the start and the end of an occurrence.
  private static let slack: Int64 = 4 * 86_400
  private static let day: Int64 = 86_400
  /// The maximum number of periods of a monthly or yearly rule from one instance to the next.
  ///
  /// A rule that repeats every 25 years from 29 February 2000 has its second instance in 2400.
  private static let sparsest: Int64 = 16

  private var lowest: Int64?
  private var highest = Int64.min
  /// The length of the longest occurrence.
  private var longest: Int64 = 0
  /// The greatest shift of later occurrences by an override.
  private var shift: Int64 = 0

  /// The range; nil without a time.
  var range: Range<Instant>? {
    guard let lowest else { return nil }
    let before = Self.sum(shift, Self.slack)
    let lower = lowest.subtractingReportingOverflow(before)
    let upper = Self.sum(Self.sum(highest, longest), before)
    return Instant(
      secondsSinceEpoch: lower.overflow ? .min : lower.partialValue)..<Instant(
        secondsSinceEpoch: max(upper, lowest))
  }

  mutating func add(_ component: Component) {
    var diagnostics: [Diagnostic] = []
    guard let times = ComponentTimes(component, diagnostics: &diagnostics) else { return }
    if let start = times.start {
      note(start)
      note(times.end, after: start)
    }
    if let id = times.recurrenceID {
      note(id.time)
      if id.includesFuture, let start = times.start {
        shift = max(shift, abs(Self.seconds(start) - Self.seconds(id.time)))
      }
    }
    guard component[.rRule] != nil || component[.rDate] != nil else { return }
    let recurrence = times.recurrence(&diagnostics)
    for date in recurrence.dates {
      note(date.start)
      if case .period(let start, let end) = date { note(end, after: start) }
    }
    guard let start = times.start else { return }
    for rule in recurrence.rules { highest = max(highest, Self.end(of: rule, from: start)) }
  }

  private mutating func note(_ time: EventTime) {
    let seconds = Self.seconds(time)
    lowest = min(lowest ?? seconds, seconds)
    highest = max(highest, seconds)
  }

  private mutating func note(_ end: EventEnd?, after start: EventTime) {
    switch end {
    case .time(let time)?:
      note(time)
      longest = max(longest, Self.seconds(time) - Self.seconds(start) + Self.day)
    case .duration(let duration)?:
      longest = max(
        longest, Int64(duration.nominalDays) * Self.day + duration.exactSeconds + Self.day)
    case nil: longest = max(longest, Self.day)
    }
  }

  private static func seconds(_ time: EventTime) -> Int64 { time.wallTime.wallSeconds }

  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  /// The latest possible start of an instance of a rule; the maximum if it is not known.
  private static func end(of rule: RecurrenceRule, from start: EventTime) -> Int64 {
    switch rule.until {
    case .date(let date)?: return CivilDateTime(date, .midnight).wallSeconds + day
    case .local(let time)?, .utc(let time)?: return time.wallSeconds
    case nil: break
    }
    guard let count = rule.count, let period = longestPeriod(of: rule) else { return .max }
    let (periods, isLong) = Int64(count).addingReportingOverflow(1)
    let (intervals, isLonger) = periods.multipliedReportingOverflow(by: Int64(rule.interval))
    let (length, isLongest) = intervals.multipliedReportingOverflow(by: period)
    return isLong || isLonger || isLongest ? .max : sum(seconds(start), length)
  }

  /// The maximum number of seconds per interval and instance; nil if periods may be empty.
  private static func longestPeriod(of rule: RecurrenceRule) -> Int64? {
    let parts = rule.parts.subtracting([.freq, .count, .interval, .wkst])
    if rule.frequency == .weekly, parts.isSubset(of: [.byDay]) { return 7 * day }
    guard parts.isEmpty else { return nil }
    switch rule.frequency {
    case .secondly, .minutely, .hourly, .daily: return day
    case .weekly: return 7 * day
    case .monthly: return sparsest * 31 * day
    case .yearly: return sparsest * 366 * day
    }
  }
}
