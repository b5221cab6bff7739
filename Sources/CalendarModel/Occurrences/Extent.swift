// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The duration of a component's occurrences (RFC 5545 §3.6.1, §3.8.5.3).
///
/// An end time fixes an exact duration for all occurrences. A DURATION is nominal: each of its days
/// can have 23 or 25 hours.
enum Extent: Hashable, Sendable {
  /// A number of days.
  case days(Int)
  /// An exact number of seconds.
  case exact(Int64)
  /// A nominal duration in the time zone of the start.
  case nominal(CivilDuration)

  /// Creates the extent from a start and an end, or the default of the kind if there is no end.
  ///
  /// Lenient: an end before the start, or of another value type, is used as far as possible.
  init(
    from start: OccurrenceTime, on clock: SeriesClock, to end: EventEnd?, endClock: SeriesClock?,
    kind: ItemKind
  ) {
    // A reminder can be due on the day of its start; other items last at least a day.
    let least = kind == .reminder ? 0 : 1
    switch end {
    case nil: self = clock.isDate ? .days(least) : .exact(0)
    case .time(let time)? where clock.isDate:
      // If an all-day event ends at a time, the day of the end is included, except at midnight.
      let isInside = !time.isAllDay && kind == .event && time.wallTime.time != .midnight
      let days = time.date.dayNumber - start.time.date.dayNumber + (isInside ? 1 : 0)
      self = .days(max(least, days))
    case .time(let time)?:
      // If the end of a timed item is a date or a floating time, the time zone of the start
      // applies.
      let isOnOwnClock = time.isAllDay || endClock?.form == .floating
      let end = (isOnOwnClock ? clock : endClock ?? clock).rules.instant(of: time.wallTime)
      let due = time.isAllDay && kind == .reminder ? 86_400 : 0
      self = .exact(
        max(0, end.secondsSinceEpoch - start.instant.secondsSinceEpoch + Int64(due)))
    case .duration(let duration)? where clock.isDate:
      let days = duration.nominalDays + Int((duration.exactSeconds + 86_399) / 86_400)
      self = .days(max(least, days))
    case .duration(let duration)?:
      self = duration.isNegative ? .exact(0) : .nominal(duration)
    }
  }

  /// Returns the end of an occurrence; its start if the end is outside the years 1 through 9999.
  func end(of start: OccurrenceTime, on clock: SeriesClock) -> OccurrenceTime {
    switch self {
    case .days(let days): return clock.day(start.time.date.adding(days: days) ?? .last)
    case .exact(0): return start
    case .exact(let seconds):
      return start.instant.adding(seconds: seconds).flatMap(clock.time(at:)) ?? start
    case .nominal(let duration):
      guard duration.nominalDays != 0 else {
        return Extent.exact(duration.exactSeconds).end(of: start, on: clock)
      }
      let end = clock.rules.instant(of: start.time.wallTime, adding: duration)
      return end.flatMap(clock.time(at:)) ?? start
    }
  }

  /// The maximum number of seconds from the start to the end, including possible offset changes.
  var longest: Int64 {
    switch self {
    case .days(let days): Int64(days) * 86_400 + 2 * 86_400
    case .exact(let seconds): seconds
    case .nominal(let duration):
      Int64(duration.nominalDays) * 86_400 + duration.exactSeconds + 2 * 86_400
    }
  }
}
