// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// When something starts, ends or is due: a day, or a time in one of the three forms of RFC 5545
/// §3.3.5.
///
/// It says what the file says. Which point in time a floating or zoned time is, depends on who reads
/// it or on the rules of the zone; see `ZoneResolver`.
public enum EventTime: Hashable, Sendable {
  /// A whole day, the same wherever it is read (RFC 5545 §3.3.4).
  case date(CivilDate)
  /// A time on whatever wall clock it is read by (form 1).
  case floating(CivilDateTime)
  /// A time in UTC (form 2).
  case utc(CivilDateTime)
  /// A time on the wall clocks of the zone that a TZID names, as it stands in the file (form 3).
  case zoned(CivilDateTime, tzID: String)

  /// The day, as it is written.
  public var date: CivilDate {
    switch self {
    case .date(let date): date
    case .floating(let time), .utc(let time), .zoned(let time, _): time.date
    }
  }

  /// The wall time as it is written, at midnight for a day.
  public var wallTime: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// Whether it is a whole day.
  public var isAllDay: Bool {
    if case .date = self { true } else { false }
  }

  /// The TZID of a zoned time, or nil (RFC 5545 §3.2.19).
  public var tzID: String? {
    if case .zoned(_, let tzID) = self { tzID } else { nil }
  }
}
