// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of one rule, as wall-clock times from its start on (RFC 5545 §3.3.10).
///
/// ```swift
/// let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
/// let start = try CivilDateTime(parsing: "19971128T090000")
/// for instance in try Expansion(of: rule, from: start) { print(instance) }
/// ```
///
/// The expansion is lazy and strictly increasing; each instance takes some nanoseconds. A rule
/// without instances ends by proof or by a limit (``RuleIterator/Ending``). The start is included
/// only if the rule generates it. Use ``RecurrenceSet`` to always include the start, and for
/// several rules or time zones. If the start is a date, all instances are at midnight.
///
/// ## Topics
///
/// ### Making expansions
/// - ``init(of:from:zone:options:)-(_,CivilDateTime,_,_)``
/// - ``init(of:from:options:)``
///
/// ### Finding instances
/// - ``makeIterator()``
/// - ``starting(at:)``
/// - ``first(from:)``
/// - ``indexed()``
///
/// ### Properties known in advance
/// - ``isImpossible``
/// - ``isEndless``
public struct Expansion: Sequence, Sendable {
  let plan: RulePlan
  /// The earliest requested second.
  private(set) var floor: Int64
  /// The index of instances, if ``indexed()`` created one.
  private(set) var index: InstanceIndex?

  /// Creates the expansion of a rule whose start is a date-time.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The DTSTART value.
  ///   - zone: The zone of the start, for an UNTIL in UTC; nil if the start is floating or in UTC.
  ///   - options: The choices where the RFC is ambiguous.
  /// - Throws: `ExpansionError` if the calendar of the rule is not available.
  public init(
    of rule: RecurrenceRule, from start: CivilDateTime, zone: ZoneRules? = nil,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(ExpansionError) {
    plan = try RulePlan(
      rule, start: start.wallSeconds, isDate: false,
      end: rule.until.map { $0.lastSecond(in: zone) } ?? RulePlan.lastSecond, options: options)
    floor = plan.start
  }

  /// Creates the expansion of a rule whose start is a date.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The DTSTART value.
  ///   - options: The choices where the RFC is ambiguous.
  /// - Throws: `ExpansionError` if the calendar of the rule is not available.
  public init(
    of rule: RecurrenceRule, from start: CivilDate,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(ExpansionError) {
    plan = try RulePlan(
      rule, start: CivilDateTime(start, .midnight).wallSeconds, isDate: true,
      end: rule.until?.lastSecondOfDay ?? RulePlan.lastSecond, options: options)
    floor = plan.start
  }

  /// Creates the expansion of a rule whose start is read on a clock.
  init(
    of rule: RecurrenceRule, from start: CivilDateTime, clock: RecurrenceClock,
    options: RecurrenceOptions
  ) throws(ExpansionError) {
    switch clock {
    case .date: try self.init(of: rule, from: start.date, options: options)
    case .zone(let rules): try self.init(of: rule, from: start, zone: rules, options: options)
    case .floating, .utc: try self.init(of: rule, from: start, options: options)
    }
  }

  /// Returns the same instances without those before a time.
  ///
  /// Earlier instances are not iterated, unless the rule has a COUNT that has no closed form; see
  /// ``indexed()``.
  ///
  /// - Parameter time: The earliest requested time.
  /// - Returns: The expansion from that time on.
  public func starting(at time: CivilDateTime) -> Expansion {
    var copy = self
    copy.floor = Swift.max(time.wallSeconds, plan.start)
    return copy
  }

  /// Returns the first instance at or after a time, or nil if there is none.
  public func first(from time: CivilDateTime) -> CivilDateTime? {
    var iterator = starting(at: time).makeIterator()
    return iterator.next()
  }

  /// Returns the same instances with an index that makes seeking in a rule with COUNT fast.
  ///
  /// It returns the expansion unchanged for rules without COUNT, and for those whose COUNT has a
  /// closed form.
  ///
  /// - Complexity: O(*n*) in the COUNT of the rule.
  public func indexed() -> Expansion {
    guard plan.count != nil, plan.instancesInPeriod == nil else { return self }
    var copy = self
    copy.index = InstanceIndex(RuleIterator(plan, from: plan.start))
    return copy
  }

  /// Creates an iterator that starts at the first requested instance.
  public func makeIterator() -> RuleIterator {
    var iterator = RuleIterator(plan, from: floor)
    guard floor > plan.start else { return iterator }
    if plan.count == nil {
      iterator.move(to: floor)
    } else if let index {
      index.move(&iterator)
    } else if let count = plan.instancesInPeriod {
      iterator.skip(to: floor, instancesInPeriod: count)
    }
    return iterator
  }

  /// Whether the rule provably has no instances, whatever its UNTIL and COUNT.
  ///
  /// It is also false if no proof is found within ``RecurrenceOptions/searchLimit`` tries.
  public var isImpossible: Bool { plan.isImpossible }

  /// Whether the rule has neither COUNT nor UNTIL.
  public var isEndless: Bool { plan.count == nil && plan.end == RulePlan.lastSecond }
}

/// Choices where RFC 5545 leaves the meaning of a rule open.
///
/// The defaults follow the majority of programs and RFC 8984 §4.3.3; the article
/// <doc:OpenQuestions> explains them.
public struct RecurrenceOptions: Sendable {
  /// The months that `FREQ=YEARLY;BYMONTHDAY=…` selects without BYMONTH.
  public enum YearlyMonthDays: Hashable, Sendable {
    /// The month of the start, as for other missing rule parts.
    case monthOfStart
    /// Every month, which is another reading of the table in RFC 5545 §3.3.10.
    case everyMonth
  }

  /// The days that `FREQ=YEARLY;BYWEEKNO=…` selects without BYDAY.
  public enum WeekNumberDays: Hashable, Sendable {
    /// The weekday of the start, as for other missing rule parts.
    case weekdayOfStart
    /// All seven days.
    case wholeWeek
  }

  /// The handling of an instance whose local time falls in a gap of its zone.
  public enum SkippedTimes: Hashable, Sendable {
    /// It uses the offset before the gap, so that 02:30 becomes 03:30 (RFC 5545 §3.3.5).
    case shift
    /// It is omitted and not counted (RFC 5545 §3.3.10).
    case omit
  }

  /// The handling of a start that no rule generates.
  public enum StartOutsideRule: Hashable, Sendable {
    /// It is the first instance; COUNT does not count it.
    case include
    /// It is omitted, unless a rule or RDATE generates it.
    case omit
  }

  /// The months for BYMONTHDAY in yearly rules.
  public var yearlyMonthDays = YearlyMonthDays.monthOfStart
  /// The days for BYWEEKNO.
  public var weekNumberDays = WeekNumberDays.weekdayOfStart
  /// The handling of times in a gap.
  public var skippedTimes = SkippedTimes.shift
  /// The handling of a start that no rule generates.
  public var startOutsideRule = StartOutsideRule.include
  /// Additional calendars for rules with RSCALE (RFC 7529).
  public var calendars: [any CalendarSystem] = []
  /// The maximum number of consecutive tries that find no instance, at least 1.
  ///
  /// After that many tries the expansion stops and reports that it is truncated. Only rules that do
  /// not provably end within that many tries reach the limit. Where COUNT requires counting the
  /// instances before the first requested one, and no formula gives their number, 40 times as many
  /// instances are counted: ten million, in a fraction of a second.
  public var searchLimit = 250_000
  /// The number of instances that may be counted for each allowed try.
  static let countedPerTry = 40

  /// Creates the default options.
  public init() {}

  /// The calendar of a rule, or nil if it is not available.
  func calendar(of rule: RecurrenceRule) -> (any CalendarSystem)? {
    guard let name = rule.rscale else { return GregorianCalendar() }
    return calendars.first { $0.name == name }
      ?? (GregorianCalendar.names.contains(name) ? GregorianCalendar() : nil)
  }
}

/// The reasons why a rule cannot be expanded.
public enum ExpansionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The calendar of the rule is not available (RFC 7529 §6).
  case unknownCalendar(String)
  /// The calendar of the rule does not support the start.
  case startOutsideCalendar(String)

  /// The message for people.
  public var description: String {
    switch self {
    case .unknownCalendar(let name):
      "expected a calendar that is known, found RSCALE=\(name) (RFC 7529 §4)"
    case .startOutsideCalendar(let name):
      "expected a start within the calendar \(name), found one outside (RFC 7529 §4)"
    }
  }
}
