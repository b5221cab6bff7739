// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// When something recurs: its start, its rules and its single dates (RFC 5545 §3.8.5).
///
/// The recurrence set is the start, all that the rules and dates give, without what the exclusions take
/// out. It is in the order of time and holds each moment once. A start after the UNTIL of every rule is
/// not part of it: programs write such rules to delete a series.
///
/// ```swift
/// var set = RecurrenceSet(start: start, clock: .zone(newYork))
/// set.rules = [try RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=MO")]
/// set.excludedDates = [.date(try CivilDate(parsing: "20261225"))]
/// for instance in try set.instances().starting(at: now).prefix(3) { … }
/// ```
///
/// ## Topics
///
/// ### Making sets
/// - ``init(start:clock:options:)``
/// - ``init(date:options:)``
/// - ``rules``
/// - ``dates``
/// - ``exclusionRules``
/// - ``excludedDates``
/// - ``endsBeforeStart``
///
/// ### Finding instances
/// - ``instances()``
/// - ``RecurrenceInstance``
public struct RecurrenceSet: Sendable {
  /// The start on its clock; at midnight if it is a day.
  public let start: CivilDateTime
  /// By what clock it is to be read.
  public let clock: RecurrenceClock
  /// The rules by which it recurs (RRULE, RFC 5545 §3.8.5.3).
  ///
  /// What several of them mean is not said by the RFC; it is all that each gives.
  public var rules: [RecurrenceRule] = []
  /// Moments that are added (RDATE, RFC 5545 §3.8.5.2); of a period, its start.
  public var dates: [RecurrenceMoment] = []
  /// Rules that take moments out (EXRULE, RFC 2445 §4.8.5.2).
  public var exclusionRules: [RecurrenceRule] = []
  /// Moments that are taken out (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [RecurrenceMoment] = []
  /// What is decided where the RFC leaves something open.
  public var options: RecurrenceOptions

  /// Creates a set that holds nothing but its start, which is a time.
  ///
  /// - Parameters:
  ///   - start: The start, as DTSTART says it.
  ///   - clock: By what clock it is to be read.
  ///   - options: What is decided where the RFC leaves something open.
  public init(
    start: CivilDateTime, clock: RecurrenceClock, options: RecurrenceOptions = RecurrenceOptions()
  ) {
    self.start = clock == .date ? CivilDateTime(start.date, .midnight) : start
    self.clock = clock
    self.options = options
  }

  /// Creates a set that holds nothing but its start, which is a day.
  ///
  /// - Parameters:
  ///   - start: The start, as DTSTART says it.
  ///   - options: What is decided where the RFC leaves something open.
  public init(date start: CivilDate, options: RecurrenceOptions = RecurrenceOptions()) {
    self.init(start: CivilDateTime(start, .midnight), clock: .date, options: options)
  }

  /// Whether every rule ends before the start, so that only single dates take place.
  public var endsBeforeStart: Bool {
    guard !rules.isEmpty else { return false }
    return rules.allSatisfy { rule in
      guard let until = rule.until else { return false }
      switch clock {
      case .date: return until.lastSecondOfDay < start.wallSeconds
      case .zone(let zone): return until.lastSecond(in: zone) < start.wallSeconds
      case .floating, .utc: return until.lastSecond(in: nil) < start.wallSeconds
      }
    }
  }

  /// Makes the rules and dates ready for being merged.
  ///
  /// - Throws: `ExpansionError` if a rule is reckoned in a calendar that is not at hand.
  /// - Returns: The instances, which are found when they are asked for.
  public func instances() throws(ExpansionError) -> RecurrenceInstances {
    try RecurrenceInstances(of: self)
  }
}
