// SPDX-License-Identifier: Apache-2.0

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
