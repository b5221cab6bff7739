// SPDX-License-Identifier: Apache-2.0

public import CalendarLanguage
public import CivilTime
public import Recurrence

/// A recurrence rule with the start, the time zone and the range in which it is expanded.
///
/// ```swift
/// let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR")
/// let start = try Moment(parsing: "20261127T090000")
/// var expansion = try RuleExpansion(of: rule, from: start, zone: berlin)
/// try expansion.end(at: Moment(parsing: "20271231"))
/// for instance in try expansion.instances() { print(instance.local) }
/// print(expansion.describe(), try expansion.explanation().verdict(on: christmas).reasons)
/// ```
public struct RuleExpansion: Sendable {
  /// The rule.
  public let rule: RecurrenceRule
  /// The local start; midnight if the start is a date.
  public let start: CivilDateTime
  /// The clock of the start.
  public let clock: RecurrenceClock
  /// The options of the expansion.
  public let options: RecurrenceOptions
  /// The first time of the range; nil if the range begins with the start.
  public private(set) var first: CivilDateTime?
  /// The last time of the range; nil if the range has no end.
  public private(set) var last: CivilDateTime?

  /// Creates an expansion from a start on.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start (DTSTART).
  ///   - zone: The time zone of the start; nil for a date, or for a floating or UTC time.
  ///   - options: The options of the expansion.
  /// - Throws: `EpactError` if the start is outside of the years 1 through 9999.
  public init(
    of rule: RecurrenceRule, from start: Moment, zone: ZoneRules? = nil,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(EpactError) {
    self.rule = rule
    self.options = options
    switch start {
    case .date(let date): (self.start, clock) = (CivilDateTime(date, .midnight), .date)
    case .local(let time): (self.start, clock) = (time, zone.map { .zone($0) } ?? .floating)
    case .instant(let instant):
      clock = zone.map { .zone($0) } ?? .utc
      self.start = try Self.local(instant, on: clock)
    }
  }

  /// Begins the range at a time on the clock of the start.
  ///
  /// - Throws: `EpactError` if the time is in UTC and the start has no zone.
  public mutating func begin(at moment: Moment) throws(EpactError) {
    first = try local(moment, isLast: false)
  }

  /// Ends the range with a time on the clock of the start; a date includes all its times.
  ///
  /// - Throws: `EpactError` if the time is in UTC and the start has no zone.
  public mutating func end(at moment: Moment) throws(EpactError) {
    last = try local(moment, isLast: true)
  }

  /// The type of DTSTART, for the validation of the rule.
  public var startType: RecurrenceRuleReading.StartType {
    switch clock {
    case .date: .date
    case .floating: .floating
    case .utc: .utc
    case .zone: .zoned
    }
  }

  /// Whether the rule and the range both have no end.
  public var isEndless: Bool { rule.count == nil && rule.until == nil && last == nil }

  /// The days of the range, if it has both ends and at most a number of days; otherwise none.
  package func days(limit: Int) -> [CivilDate] {
    guard let first = first?.date, let last = last?.date,
      0..<limit ~= last.dayNumber - first.dayNumber
    else { return [] }
    return (first.dayNumber...last.dayNumber).compactMap { CivilDate(dayNumber: $0) }
  }

  /// The instances in the range, computed on demand.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  public func instances() throws(ExpansionError) -> RuleInstances {
    var set = RecurrenceSet(start: start, clock: clock, options: options)
    set.rules = [rule]
    let all = try set.instances()
    let instances = first.map { all.starting(at: $0) } ?? all
    return RuleInstances(instances.makeIterator(), first: first, last: last)
  }

  /// The rule as a sentence, with the parts that only the start determines.
  public func describe(in language: some RuleLanguage = EnglishRuleLanguage()) -> String {
    rule.describe(from: start.date, options: options, in: language)
  }

  /// The steps in which the rule makes its instances, and its verdict on any date.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  public func explanation() throws(ExpansionError) -> RuleExplanation {
    try RuleExplanation(of: rule, from: start, clock: clock, options: options)
  }

  /// The time in iCalendar format: a date if the start is one.
  public func text(of time: CivilDateTime) -> String {
    clock == .date ? time.date.description : time.description
  }

  private func local(_ moment: Moment, isLast: Bool) throws(EpactError) -> CivilDateTime {
    switch moment {
    case .date(let date):
      let start = CivilDateTime(date, .midnight)
      return isLast ? start.adding(seconds: 86_399) ?? start : start
    case .local(let time): return time
    case .instant(let instant): return try Self.local(instant, on: clock)
    }
  }

  private static func local(
    _ instant: Instant, on clock: RecurrenceClock
  ) throws(EpactError) -> CivilDateTime {
    let local: CivilDateTime?
    switch clock {
    case .zone(let rules): local = rules.civil(at: instant)
    case .utc: local = instant.civil()
    case .date, .floating:
      throw EpactError(
        .argument, "expected a local time, because the start has no zone, found one in UTC")
    }
    guard let local else {
      throw EpactError(.argument, "expected a time in the years 1 through 9999")
    }
    return local
  }
}

/// The instances of a rule in a range, in order and computed on demand.
public struct RuleInstances: Sequence, IteratorProtocol {
  private var instances: RecurrenceInstances.Iterator
  private let first: CivilDateTime?
  private let last: CivilDateTime?

  init(_ instances: RecurrenceInstances.Iterator, first: CivilDateTime?, last: CivilDateTime?) {
    self.instances = instances
    self.first = first
    self.last = last
  }

  /// Whether the search was ended at its limit, so that there may be more instances.
  public var isTruncated: Bool { instances.isTruncated }

  /// The next instance, or nil after the last one.
  public mutating func next() -> RecurrenceInstance? {
    while let instance = instances.next() {
      if let first, instance.local < first { continue }
      guard let last, instance.local > last else { return instance }
      // Around a gap, local times are out of order by at most a day.
      guard instance.local.wallSeconds <= last.wallSeconds + 86_400 else { return nil }
    }
    return nil
  }
}
