// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A recurrence set: a start, rules, single dates and exclusions (RFC 5545 §3.8.5).
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
  /// The start on its clock; midnight for a date.
  public let start: CivilDateTime
  /// The clock of the start.
  public let clock: RecurrenceClock
  /// The recurrence rules (RRULE, RFC 5545 §3.8.5.3).
  ///
  /// The RFC does not define the meaning of several rules; here it is the union of their instances.
  public var rules: [RecurrenceRule] = []
  /// The added moments (RDATE, RFC 5545 §3.8.5.2); for a period, its start.
  public var dates: [RecurrenceMoment] = []
  /// The exclusion rules (EXRULE, RFC 2445 §4.8.5.2).
  public var exclusionRules: [RecurrenceRule] = []
  /// The excluded moments (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [RecurrenceMoment] = []
  /// The choices where the RFC is ambiguous.
  public var options: RecurrenceOptions

  /// Creates a set that contains only its start, a time.
  ///
  /// - Parameters:
  ///   - start: The DTSTART value.
  ///   - clock: The clock of the start.
  ///   - options: The choices where the RFC is ambiguous.
  public init(
    start: CivilDateTime, clock: RecurrenceClock, options: RecurrenceOptions = RecurrenceOptions()
  ) {
    self.start = clock == .date ? CivilDateTime(start.date, .midnight) : start
    self.clock = clock
    self.options = options
  }

  /// Creates a set that contains only its start, a date.
  ///
  /// - Parameters:
  ///   - start: The DTSTART value.
  ///   - options: The choices where the RFC is ambiguous.
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
  /// - Throws: `ExpansionError` if the calendar of a rule is not available.
  /// - Returns: The instances, as a lazy sequence.
  public func instances() throws(ExpansionError) -> RecurrenceInstances {
    try RecurrenceInstances(of: self)
  }
}
