// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of one rule from its start on, as times on the wall clock (RFC 5545 §3.3.10).
///
/// ```swift
/// let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
/// let start = try CivilDateTime(parsing: "19971128T090000")
/// for instance in try Expansion(of: rule, from: start) { … }
/// ```
///
/// Instances are found one by one, in strictly increasing order, and each costs some nanoseconds. A
/// rule that never happens ends, by proof or by a limit (``RuleIterator/Ending``). A start that the
/// rule does not give is not among them; see ``RecurrenceSet`` for that, for several rules, and for
/// time zones. With a date as the start, all instances are at midnight.
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
/// ### What is known beforehand
/// - ``isImpossible``
/// - ``isEndless``
public struct Expansion: Sequence, Sendable {
  let plan: RulePlan
  /// The first second that is asked for.
  private(set) var floor: Int64
  /// Every so many-th instance, if they were counted.
  private(set) var index: InstanceIndex?

  /// Expands a rule from a time on.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start, as DTSTART says it.
  ///   - zone: The zone of the start, for an UNTIL in UTC; nil if the start is floating or in UTC.
  ///   - options: What is decided where the RFC leaves something open.
  /// - Throws: `ExpansionError` if the rule is reckoned in a calendar that is not at hand.
  public init(
    of rule: RecurrenceRule, from start: CivilDateTime, zone: ZoneRules? = nil,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(ExpansionError) {
    plan = try RulePlan(
      rule, start: start.wallSeconds, isDate: false,
      end: rule.until.map { $0.lastSecond(in: zone) } ?? RulePlan.lastSecond, options: options)
    floor = plan.start
  }

  /// Expands a rule from a day on.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start, as DTSTART says it.
  ///   - options: What is decided where the RFC leaves something open.
  /// - Throws: `ExpansionError` if the rule is reckoned in a calendar that is not at hand.
  public init(
    of rule: RecurrenceRule, from start: CivilDate,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(ExpansionError) {
    plan = try RulePlan(
      rule, start: CivilDateTime(start, .midnight).wallSeconds, isDate: true,
      end: rule.until?.lastSecondOfDay ?? RulePlan.lastSecond, options: options)
    floor = plan.start
  }

  /// Expands a rule from a start that is read by some clock.
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

  /// The same instances without those before a time.
  ///
  /// They are not walked over, unless the rule has a COUNT and no closed form tells how much of it is
  /// used up by then; see ``indexed()``.
  ///
  /// - Parameter time: The first time that is asked for.
  /// - Returns: The expansion from there on.
  public func starting(at time: CivilDateTime) -> Expansion {
    var copy = self
    copy.floor = Swift.max(time.wallSeconds, plan.start)
    return copy
  }

  /// The first instance at a time or after it, or nil if there is none.
  public func first(from time: CivilDateTime) -> CivilDateTime? {
    var iterator = starting(at: time).makeIterator()
    return iterator.next()
  }

  /// The same instances, counted once, so that times in a rule with COUNT are found at once.
  ///
  /// For other rules, and for those whose COUNT is told by a closed form, it changes nothing.
  ///
  /// - Complexity: O(*n*) in the COUNT of the rule.
  public func indexed() -> Expansion {
    guard plan.count != nil, plan.instancesInPeriod == nil else { return self }
    var copy = self
    copy.index = InstanceIndex(RuleIterator(plan, from: plan.start))
    return copy
  }

  /// Starts at the first instance that is asked for.
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

  /// Whether it is proved that the rule never happens, whatever its UNTIL and COUNT.
  ///
  /// False also if that cannot be told in as many tries as ``RecurrenceOptions/searchLimit`` allows.
  public var isImpossible: Bool { plan.isImpossible }

  /// Whether neither COUNT nor UNTIL ends the rule.
  public var isEndless: Bool { plan.count == nil && plan.end == RulePlan.lastSecond }
}
