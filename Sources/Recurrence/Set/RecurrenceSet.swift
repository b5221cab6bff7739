// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A recurrence set: a start, rules, single dates and exclusions (RFC 5545 §3.8.5).
///
/// It contains the start and the instances of the rules and dates, without the exclusions, in order
/// of time and each moment once. A start after the UNTIL of every rule is not part of it, because
/// programs write such rules to delete a series.
///
/// ```swift
/// let start = try CivilDateTime(parsing: "20261005T090000")
/// var set = RecurrenceSet(start: start, clock: .zone(newYork))
/// set.rules = [try RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=MO")]
/// set.excludedDates = [.date(try CivilDate(parsing: "20261225"))]
/// for instance in try set.instances().starting(at: now).prefix(3) { print(instance.local) }
/// ```
///
/// ## Topics
///
/// ### Making sets
/// - ``init(start:clock:options:)``
/// - ``init(date:options:)``
/// - ``init(parsing:zones:options:)``
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

/// A moment that is added to or excluded from a recurrence (RFC 5545 §3.8.5.1, §3.8.5.2).
public enum RecurrenceMoment: Hashable, Sendable {
  /// A date.
  ///
  /// Lenient: in a recurrence of times, an added date means the start of that day, and an excluded
  /// date means the whole day.
  case date(CivilDate)
  /// A time on the recurrence's clock.
  ///
  /// Lenient: in a recurrence of dates, only its date counts.
  case local(CivilDateTime)
  /// An instant, for a moment in UTC or in another zone.
  ///
  /// Lenient: in a recurrence without a zone, it means the time on a clock in UTC.
  case instant(Instant)
}

/// A clock that maps times to keys, which are ordered and equal for equal moments.
///
/// With a zone, the key is the instant; without one, it is the wall-clock time. Both are in
/// seconds.
struct KeyClock: Sendable {
  private let isDate: Bool
  /// Whether keys are instants.
  let hasInstants: Bool
  private let zone: ZoneRules?
  /// The cached range of wall-clock seconds with a constant offset, and that offset.
  private var stretch: Range<Int64> = 0..<0
  private var offset: Int64 = 0

  init(_ clock: RecurrenceClock) {
    isDate = clock == .date
    if case .zone(let rules) = clock { zone = rules } else { zone = nil }
    hasInstants = clock == .utc || zone != nil
    if zone == nil { stretch = .min ..< .max }
  }

  /// The offset of a wall-clock second that occurs once, from the cached range if possible.
  mutating func steadyOffset(of wallSecond: Int64) -> Int64? {
    if stretch.contains(wallSecond) { return offset }
    guard let found = zone?.steadyStretch(around: wallSecond) else { return nil }
    (stretch, offset) = found
    return offset
  }

  /// The offsets that a wall-clock second can have.
  func resolve(_ wallSecond: Int64) -> LocalTimeResolution {
    guard let zone, let wall = CivilDateTime(wallSeconds: wallSecond) else { return .unique(.zero) }
    return zone.resolve(wall)
  }

  /// The key of a time on the clock (RFC 5545 §3.3.5).
  func key(of wall: CivilDateTime) -> Int64 {
    zone?.instant(of: wall).secondsSinceEpoch ?? wall.wallSeconds
  }

  /// The key and the wall-clock second of a moment.
  func key(of moment: RecurrenceMoment) -> Moment {
    let wall: CivilDateTime
    switch moment {
    case .date(let date): wall = CivilDateTime(date, .midnight)
    case .local(let time): wall = isDate ? CivilDateTime(time.date, .midnight) : time
    case .instant(let instant) where isDate:
      wall = CivilDateTime(instant.civil()?.date ?? .first, .midnight)
    case .instant(let instant):
      let seconds = instant.secondsSinceEpoch
      return Moment(key: seconds, wall: zone?.civil(at: instant)?.wallSeconds ?? seconds)
    }
    return Moment(key: key(of: wall), wall: wall.wallSeconds)
  }

  /// A lower bound of the wall-clock seconds whose key is `key` or later.
  ///
  /// In the hours after a gap, times inside the gap have the same keys as times after it.
  func firstWallSecond(ofKey key: Int64) -> Int64 {
    guard let zone else { return key }
    let instant = Instant(secondsSinceEpoch: key)
    var least = Int64(zone.offset(at: instant).seconds)
    let start = Instant(secondsSinceEpoch: key - 86_400)
    for change in zone.transitions(from: start, to: Instant(secondsSinceEpoch: key + 1)) {
      least = min(least, Int64(change.before.offset.seconds))
    }
    return key + least
  }
}

/// A moment as a key and as a wall-clock time, both in seconds.
struct Moment: Hashable, Sendable {
  let key: Int64
  let wall: Int64
}
