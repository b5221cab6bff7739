// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An explanation of a rule: its steps, and the reasons why it has no instance on a day.
///
/// ```swift
/// let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR")
/// let start = try CivilDateTime(parsing: "20261127T090000")
/// let explanation = try RuleExplanation(of: rule, from: start, clock: .floating)
/// explanation.steps.first { $0.part == .byDay }?.effect  // expand within each month
/// explanation.verdict(on: date).reasons  // BYDAY=-1FR leaves it out: it is 2FR, or -3FR
/// ```
///
/// The expansion determines the instances; only the reasons are derived part by part.
public struct RuleExplanation: Sendable {
  /// The maximum number of instances shown for a day.
  private static let shownInstances = 24
  /// The maximum number of instances that are counted to number one of them.
  private static let countedInstances = 100_000

  private let rule: RecurrenceRule
  private let start: CivilDateTime
  private let clock: RecurrenceClock
  private let options: RecurrenceOptions
  let plan: RulePlan
  let calendar: any CalendarSystem
  /// The steps, in order of application.
  public let steps: [RuleStep]

  /// Creates the explanation of a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The DTSTART value; midnight for a date.
  ///   - clock: The clock of the start.
  ///   - options: The choices where the RFC is ambiguous.
  /// - Throws: `ExpansionError` if the calendar of the rule is not available.
  public init(
    of rule: RecurrenceRule, from start: CivilDateTime, clock: RecurrenceClock,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(ExpansionError) {
    self.rule = rule
    self.start = start
    self.clock = clock
    self.options = options
    plan = try Expansion(of: rule, from: start, clock: clock, options: options).plan
    calendar = plan.calendar ?? GregorianCalendar()
    steps = RuleExplanation.steps(of: rule, from: start, plan: plan)
  }

  /// Whether the rule provably has no instances, whatever its UNTIL and COUNT.
  public var isImpossible: Bool { plan.isImpossible }

  /// Returns the instances of the rule on a day, or the reasons why there are none.
  ///
  /// - Parameter date: The day, on the start's clock.
  /// - Returns: The verdict; its instances are times on that clock.
  public func verdict(on date: CivilDate) -> RuleVerdict {
    let found = instances(of: rule, on: date, limit: RuleExplanation.shownInstances + 1)
    let shown = Array(found.prefix(RuleExplanation.shownInstances))
    return RuleVerdict(
      date: date, instances: shown, hasMore: found.count > shown.count,
      number: shown.first.flatMap(number), reasons: found.isEmpty ? reasons(against: date) : [])
  }

  // MARK: - Instances

  private func instances(
    of rule: RecurrenceRule, on date: CivilDate, limit: Int, withGaps: Bool = false
  ) -> [CivilDateTime] {
    guard
      let all = try? Expansion(of: rule, from: start, clock: clock, options: options)
        .starting(at: CivilDateTime(date, .midnight))
    else { return [] }
    var iterator = all.makeIterator()
    var found: [CivilDateTime] = []
    while found.count < limit, let instance = iterator.next(), instance.date == date {
      if withGaps || !isSkipped(instance) { found.append(instance) }
    }
    return found
  }

  /// Whether an instance is omitted because its time falls in a gap.
  private func isSkipped(_ instance: CivilDateTime) -> Bool {
    guard options.skippedTimes == .omit, case .zone(let rules) = clock,
      case .gap = rules.resolve(instance)
    else { return false }
    return true
  }

  private func number(of instance: CivilDateTime) -> Int? {
    guard let all = try? Expansion(of: rule, from: start, clock: clock, options: options) else {
      return nil
    }
    var number = 0
    for other in all.prefix(RuleExplanation.countedInstances) {
      if !isSkipped(other) { number += 1 }
      if other >= instance { return number }
    }
    return nil
  }

  // MARK: - Reasons

  private func reasons(against date: CivilDate) -> [RuleVerdict.Reason] {
    if date < start.date { return [.beforeStart] }
    if !instances(of: rule, on: date, limit: 1, withGaps: true).isEmpty { return [.skippedTime] }
    var endless = rule
    (endless.count, endless.until) = (nil, nil)
    if happens(endless, on: date) { return endings(before: date) }
    let parts = steps.filter { !choosesDay(date, by: $0.part) }
      .map { RuleVerdict.Reason.part($0, found: place(of: date, for: $0.part)) }
    return parts.isEmpty ? [combination(against: date, in: endless)] : parts
  }

  private func happens(_ rule: RecurrenceRule, on date: CivilDate) -> Bool {
    !instances(of: rule, on: date, limit: 1, withGaps: true).isEmpty
  }

  private func endings(before date: CivilDate) -> [RuleVerdict.Reason] {
    var reasons: [RuleVerdict.Reason] = []
    if let until = rule.until, plan.end < CivilDateTime(date, .midnight).wallSeconds + 86_400 {
      reasons.append(.until(until))
    }
    if let count = rule.count {
      var counted = rule
      counted.until = nil
      if !happens(counted, on: date) { reasons.append(.count(count)) }
    }
    return reasons.isEmpty ? [.together] : reasons
  }

  /// The reason if each single part allows the day.
  private func combination(
    against date: CivilDate, in rule: RecurrenceRule
  ) -> RuleVerdict.Reason {
    if date == start.date { return .beforeStart }
    if rule.interval > 1 {
      var each = rule
      each.interval = 1
      if happens(each, on: date) { return .interval(rule.interval, rule.frequency) }
      each.bySetPos = []
      // The positions may exclude the day as well; the interval is reported first.
      if !rule.bySetPos.isEmpty, happens(each, on: date) {
        var whole = rule
        whole.bySetPos = []
        return happens(whole, on: date)
          ? .positions(rule.bySetPos) : .interval(rule.interval, rule.frequency)
      }
    }
    guard !rule.bySetPos.isEmpty else { return .together }
    var whole = rule
    whole.bySetPos = []
    return happens(whole, on: date) ? .positions(rule.bySetPos) : .together
  }
}

/// A step of the expansion: a rule part and its effect.
///
/// Parts that the rule derives from its start are steps too (RFC 5545 §3.3.10).
public struct RuleStep: Hashable, Sendable {
  /// The part.
  public let part: RulePart
  /// The value in RRULE syntax.
  public let value: String
  /// The effect, or nil if it is not a BY part.
  public let effect: RuleEffect?
  /// Whether the value is derived from the start instead of the rule.
  public let isFromStart: Bool
}

extension RuleStep: CustomStringConvertible {
  /// The part in RRULE syntax, such as `BYDAY=-1FR`.
  public var description: String { "\(part.rawValue)=\(value)" }
}

extension RuleEffect: CustomStringConvertible {
  /// The effect in terms of the RFC: `limit`, `expand`, or `expand within each month`.
  public var description: String {
    switch self {
    case .limit: "limit"
    case .expand: "expand"
    case .specialExpand(.weekly): "expand within each week"
    case .specialExpand(.monthly): "expand within each month"
    case .specialExpand: "expand within each year"
    case .notApplicable: "ignored"
    }
  }
}

/// The instances of a rule on a day, or the reasons why there are none.
public struct RuleVerdict: Hashable, Sendable {
  /// A reason why a rule has no instance on a day.
  public enum Reason: Hashable, Sendable {
    /// The day, or its last time, is before the start.
    case beforeStart
    /// A part excludes the day; `found` is the day's position in terms of that part.
    case part(RuleStep, found: String)
    /// The interval skips the day's period.
    case interval(Int, Frequency)
    /// BYSETPOS excludes all times of the day.
    case positions([Int])
    /// An earlier instance exhausted COUNT.
    case count(Int)
    /// UNTIL is before the day.
    case until(RecurrenceRule.Until)
    /// All times that the rule generates on the day fall in a gap of the zone.
    case skippedTime
    /// Each part allows the day, but their combination selects no time on it.
    case together
  }

  /// The day.
  public let date: CivilDate
  /// The first instances on the day, in order; empty if there are none.
  public let instances: [CivilDateTime]
  /// Whether the day has more instances.
  public let hasMore: Bool
  /// The number of the first instance among all instances, from 1; nil if it was not counted.
  public let number: Int?
  /// The reasons why there are none; empty if there are instances.
  public let reasons: [Reason]

  /// Whether the rule has an instance on the day.
  public var isInstance: Bool { !instances.isEmpty }
}

extension RuleVerdict.Reason: CustomStringConvertible {
  /// The reason as a clause for people, without a full stop.
  public var description: String {
    switch self {
    case .beforeStart: "it is before the start"
    case .part(let step, let found):
      "\(step)\(step.isFromStart ? " (from the start)" : "") leaves it out: it is \(found)"
    case .interval(let interval, let frequency):
      "INTERVAL=\(interval) passes over its \(frequency.unit)"
    case .positions(let positions):
      "BYSETPOS=\(positions.map(String.init).joined(separator: ",")) leaves it out"
    case .count(let count): "COUNT=\(count) is used up before it"
    case .until(let until): "UNTIL=\(until) is before it"
    case .skippedTime: "the clocks skip its time"
    case .together: "no time of it is left by all parts together"
    }
  }
}

extension Frequency {
  /// The name of the period.
  var unit: String {
    switch self {
    case .secondly: "second"
    case .minutely: "minute"
    case .hourly: "hour"
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    }
  }
}
