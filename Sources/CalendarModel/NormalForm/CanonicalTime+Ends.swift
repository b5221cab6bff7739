// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension CanonicalTime {
  /// The time a duration later: days on the calendar, then hours exactly (RFC 5545 §3.3.6).
  ///
  /// - Returns: The time on the same clock, or in UTC if the clock shows it twice and means the other;
  ///   nil if it cannot be told.
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

  /// The exact seconds from here to another time; nil if one is a day or only one is a point in time.
  ///
  /// On a clock that is not known, every day has 24 hours.
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

  /// What clock the time is on, for a text: nothing for a day and for a clock that nobody names.
  var clockName: String {
    switch self {
    case .date, .floating: ""
    case .utc: CanonicalZone.utc
    case .zoned(_, let zone): zone.name
    }
  }
}
