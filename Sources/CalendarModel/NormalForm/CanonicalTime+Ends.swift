// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension CanonicalTime {
  /// Adds a duration: first the days on the calendar, then the exact time (RFC 5545 §3.3.6).
  ///
  /// - Returns: The time in the same zone, or in UTC if the wall time is ambiguous and would mean
  ///   the other instant; nil if the time cannot be computed.
  func adding(_ duration: CivilDuration) -> CanonicalTime? {
    switch self {
    case .date(let date):
      guard duration.exactSeconds == 0 else { return nil }
      return date.adding(days: duration.nominalDays).map { .date($0) }
    case .floating(let time): return time.adding(duration).map { .floating($0) }
    case .utc(let time): return time.adding(duration).map { .utc($0) }
    case .zoned(let time, let zone):
      guard let rules = zone.rules else { return time.adding(duration).map { .zoned($0, zone) } }
      guard let instant = rules.instant(of: time, adding: duration),
        let wall = rules.civil(at: instant)
      else { return nil }
      guard rules.instant(of: wall) == instant else { return instant.civil().map { .utc($0) } }
      return .zoned(wall, zone)
    }
  }

  /// Returns the exact seconds to another time.
  ///
  /// In an unknown time zone every day has 24 hours.
  ///
  /// - Returns: The seconds; nil if one time is a date, or if only one time is an instant.
  func exactSeconds(to end: CanonicalTime) -> Int64? {
    if let start = instant, let end = end.instant {
      return end.secondsSinceEpoch - start.secondsSinceEpoch
    }
    switch (self, end) {
    case (.floating(let start), .floating(let end)): return end.wallSeconds - start.wallSeconds
    case (.zoned(let start, let zone), .zoned(let end, let other)) where zone == other:
      return end.wallSeconds - start.wallSeconds
    default: return nil
    }
  }

  /// The name of the time's zone; empty for a date and for a floating time.
  var clockName: String {
    switch self {
    case .date, .floating: ""
    case .utc: CanonicalZone.utc
    case .zoned(_, let zone): zone.name
    }
  }
}
