// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RecurrenceRule.Until {
  /// The last wall-clock second that UNTIL allows if the start is a date.
  ///
  /// Lenient: for a date-time, the date part counts as written (RFC 5545 §3.3.10 requires a date).
  var lastSecondOfDay: Int64 {
    let date =
      switch self {
      case .date(let date): date
      case .local(let time), .utc(let time): time.date
      }
    return CivilDateTime(date, .midnight).wallSeconds + 86_399
  }

  /// The last wall-clock second that UNTIL allows if the start is a date-time.
  ///
  /// Lenient: a date means that whole day on the start's clock, and a time without `Z` is a time on
  /// that clock (RFC 5545 §3.3.10 requires UTC if the start has a zone).
  ///
  /// - Parameter zone: The zone of the start, or nil if it is floating or in UTC.
  /// - Returns: The second, since 1970-01-01T00:00:00 on that clock.
  func lastSecond(in zone: ZoneRules?) -> Int64 {
    switch self {
    case .date: return lastSecondOfDay
    case .local(let time): return time.wallSeconds
    case .utc(let time):
      guard let zone else { return time.wallSeconds }
      return zone.lastWallSecond(notAfter: Instant(utc: time))
    }
  }
}

extension ZoneRules {
  /// The last wall-clock second that is not after an instant.
  ///
  /// In the second half of a fold, all times that occur twice have passed.
  func lastWallSecond(notAfter instant: Instant) -> Int64 {
    let second = instant.secondsSinceEpoch
    guard let wall = civil(at: instant) else {
      return second < 0 ? RulePlan.firstSecond - 1 : RulePlan.lastSecond
    }
    guard case .fold(let first, let later) = resolve(wall), wall.instant(at: first) < instant else {
      return wall.wallSeconds
    }
    // The fold starts at the first moment with the later offset. From then until the clocks reach
    // the same time again, all repeated times have passed.
    var change = transitions(
      from: wall.instant(at: first), to: Instant(secondsSinceEpoch: second + 1))
    guard later < first, let back = change.next() else { return wall.wallSeconds }
    return back.instant.secondsSinceEpoch + Int64(back.before.offset.seconds) - 1
  }
}
