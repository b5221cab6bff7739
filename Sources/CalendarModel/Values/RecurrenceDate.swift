// SPDX-License-Identifier: Apache-2.0

/// An occurrence that is added to a series by itself (RFC 5545 §3.8.5.2).
public enum RecurrenceDate: Hashable, Sendable {
  /// One that starts then and lasts as long as all others.
  case time(EventTime)
  /// One that has an end of its own.
  case period(start: EventTime, end: EventEnd)

  /// When the occurrence starts.
  public var start: EventTime {
    switch self {
    case .time(let time), .period(let time, _): time
    }
  }
}
