// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import Recurrence

/// The start, end or due time of an item: a date, or one of the three forms of RFC 5545 §3.3.5.
///
/// It is the value of the file. The instant of a floating time depends on the reader's time zone,
/// and the instant of a zoned time on the rules of its zone; see `ZoneResolver`.
public enum EventTime: Hashable, Sendable {
  /// A whole day, independent of time zones (RFC 5545 §3.3.4).
  case date(CivilDate)
  /// A local time without a time zone (form 1).
  case floating(CivilDateTime)
  /// A time in UTC (form 2).
  case utc(CivilDateTime)
  /// A local time in the time zone of a TZID; the TZID is as in the file (form 3).
  case zoned(CivilDateTime, tzID: String)

  /// The calendar date, as written.
  public var date: CivilDate {
    switch self {
    case .date(let date): date
    case .floating(let time), .utc(let time), .zoned(let time, _): time.date
    }
  }

  /// The wall-clock time as written; midnight for a date.
  public var wallTime: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// Whether it is a date without a time.
  public var isAllDay: Bool {
    if case .date = self { true } else { false }
  }

  /// The time for messages, such as `2026-12-01 09:30 Europe/Berlin`.
  package var spelled: String {
    let wall = wallTime
    let day = "\(wall.date)"
    let date = "\(day.dropLast(4))-\(day.suffix(4).prefix(2))-\(day.suffix(2))"
    guard !isAllDay else { return date }
    let clock = [wall.time.hour, wall.time.minute, wall.time.second].map {
      $0 < 10 ? "0\($0)" : "\($0)"
    }
    let time = clock.prefix(wall.time.second == 0 ? 2 : 3).joined(separator: ":")
    switch self {
    case .date, .floating: return "\(date) \(time)"
    case .utc: return "\(date) \(time) UTC"
    case .zoned(_, let tzID): return "\(date) \(time) \(tzID)"
    }
  }

  /// The TZID of a zoned time, or nil (RFC 5545 §3.2.19).
  public var tzID: String? {
    if case .zoned(_, let tzID) = self { tzID } else { nil }
  }
}

/// The end of an event or the due time of a reminder: a time or a duration.
///
/// The two differ in a series. A duration has nominal days and an exact time (RFC 5545 §3.3.6); an
/// end time fixes an exact duration (RFC 5545 §3.8.5.3).
public enum EventEnd: Hashable, Sendable {
  /// An exclusive end time (DTEND, RFC 5545 §3.8.2.2; DUE, §3.8.2.3).
  case time(EventTime)
  /// A duration after the start (DURATION, RFC 5545 §3.8.2.5).
  case duration(CivilDuration)

  /// The time, or nil for a duration.
  public var time: EventTime? {
    if case .time(let time) = self { time } else { nil }
  }

  /// The duration, or nil for a time.
  public var duration: CivilDuration? {
    if case .duration(let duration) = self { duration } else { nil }
  }
}

/// The identifier of an overridden occurrence (RFC 5545 §3.8.4.4).
public struct RecurrenceID: Hashable, Sendable {
  /// The original start of the occurrence, even if the override moves it.
  public var time: EventTime
  /// Whether the override applies to all later occurrences too (`RANGE`, RFC 5545 §3.2.13).
  public var includesFuture: Bool

  /// Creates an identifier.
  public init(_ time: EventTime, includesFuture: Bool = false) {
    self.time = time
    self.includesFuture = includesFuture
  }
}

/// An additional occurrence of a series (RFC 5545 §3.8.5.2).
public enum RecurrenceDate: Hashable, Sendable {
  /// An occurrence with the default duration of the series.
  case time(EventTime)
  /// An occurrence with its own end.
  case period(start: EventTime, end: EventEnd)

  /// The start of the occurrence.
  public var start: EventTime {
    switch self {
    case .time(let time), .period(let time, _): time
    }
  }
}

/// The recurrence rules and dates of an item, as in the file (RFC 5545 §3.8.5).
///
/// The occurrences are the start and the results of the rules and dates, minus the exclusions.
public struct RecurrenceProperties: Hashable, Sendable {
  /// The recurrence rules, usually at most one (RRULE, RFC 5545 §3.8.5.3).
  public var rules: [RecurrenceRule] = []
  /// The rules for excluded occurrences in old files (EXRULE, RFC 2445 §4.8.5.2).
  public var exclusionRules: [RecurrenceRule] = []
  /// The additional occurrences (RDATE, RFC 5545 §3.8.5.2).
  public var dates: [RecurrenceDate] = []
  /// The starts of excluded occurrences (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [EventTime] = []

  /// Creates an empty value, for an item that does not recur.
  public init() {}

  /// Whether an item with these properties can have more than one occurrence.
  public var isRecurring: Bool { !rules.isEmpty || !dates.isEmpty }
}
