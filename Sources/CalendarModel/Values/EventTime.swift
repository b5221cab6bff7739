// SPDX-License-Identifier: Apache-2.0

public import CivilTime

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

  /// The TZID of a zoned time, or nil (RFC 5545 §3.2.19).
  public var tzID: String? {
    if case .zoned(_, let tzID) = self { tzID } else { nil }
  }
}
