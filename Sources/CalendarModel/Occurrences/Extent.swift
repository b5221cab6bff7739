// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// How long the occurrences of a component last (RFC 5545 §3.6.1, §3.8.5.3).
///
/// An end at a time fixes an exact length, which all occurrences share; a duration is nominal, and a
/// day of it may take 23 or 25 hours.
enum Extent: Hashable, Sendable {
  /// This many days.
  case days(Int)
  /// This many seconds.
  case exact(Int64)
  /// A duration on the clock of the start.
  case nominal(CivilDuration)

  /// The extent that a start and an end say, or what follows from the kind where nothing is said.
  ///
  /// Lenient: an end before the start, or of another value type, counts as far as it makes sense.
  init(
    from start: OccurrenceTime, on clock: SeriesClock, to end: EventEnd?, endClock: SeriesClock?,
    kind: ItemKind
  ) {
    // A reminder may be due on the day on which it starts; all else lasts a day at least.
    let least = kind == .reminder ? 0 : 1
    switch end {
    case nil: self = clock.isDate ? .days(least) : .exact(0)
    case .time(let time)? where clock.isDate:
      // An end at a time on a day makes the day part of the event, unless it is its first moment.
      let isInside = !time.isAllDay && kind == .event && time.wallTime.time != .midnight
      let days = time.date.dayNumber - start.time.date.dayNumber + (isInside ? 1 : 0)
      self = .days(max(least, days))
    case .time(let time)?:
      // A day or a floating time as the end of a time is meant on the clock of the start.
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

  /// The end of an occurrence; its start if the end cannot be told in the years 1 through 9999.
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

  /// The most seconds from the start to the end, with what a change of the clocks may add.
  var longest: Int64 {
    switch self {
    case .days(let days): Int64(days) * 86_400 + 2 * 86_400
    case .exact(let seconds): seconds
    case .nominal(let duration):
      Int64(duration.nominalDays) * 86_400 + duration.exactSeconds + 2 * 86_400
    }
  }
}
