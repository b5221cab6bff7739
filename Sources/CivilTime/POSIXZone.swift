// SPDX-License-Identifier: Apache-2.0

/// A zone with the same transitions every year (RFC 9636 §3.3, the footer of a TZif file).
///
/// ```text
/// CET-1CEST,M3.5.0,M10.5.0/3
/// │     │    │      └ daylight time ends on the last Sunday of October at 03:00
/// │     │    └─────── and starts on the last Sunday of March at 02:00
/// │     └──────────── its name
/// └────────────────── standard time is one hour east, which POSIX writes as a minus
/// ```
package struct POSIXZone: Hashable, Sendable {
  /// A yearly transition: a day and a time of day.
  package struct Change: Hashable, Sendable {
    /// The ways to specify a day.
    package enum Day: Hashable, Sendable {
      /// The `week`-th weekday of a month, or the last one if `week` is 5.
      case weekday(month: Int, week: Int, weekday: Weekday)
      /// A day from 1 through 365 that never counts February 29.
      case julian(Int)
      /// A day from 0 through 365 that counts February 29.
      case zeroBased(Int)
    }

    /// The day.
    package let day: Day
    /// The wall-clock time before the transition, in seconds from midnight (-604,799 to 604,799).
    package let seconds: Int

    package init(day: Day, seconds: Int) {
      self.day = day
      self.seconds = seconds
    }

    /// The wall-clock seconds of the transition in a year.
    func wallSeconds(year: Int) -> Int64 {
      Int64(dayNumber(year: year)) * 86_400 + Int64(seconds)
    }

    private func dayNumber(year: Int) -> Int {
      switch day {
      case .weekday(let month, let week, let weekday):
        let first = CivilDate.dayNumber(year: year, month: month, day: 1)
        var place = weekday.days(since: Weekday(dayNumber: first)) + (week - 1) * 7
        if place >= CivilDate.daysInMonth(month, of: year) { place -= 7 }
        return first + place
      case .julian(let day):
        let isAfterLeapDay = CivilDate.isLeapYear(year) && day >= 60
        return CivilDate.dayNumber(year: year, month: 1, day: isAfterLeapDay ? day + 1 : day)
      case .zeroBased(let day):
        return CivilDate.dayNumber(year: year, month: 1, day: 1) + day
      }
    }
  }

  /// The daylight saving time of every year.
  package struct Daylight: Hashable, Sendable {
    /// The local time during daylight saving time.
    package let type: LocalTimeType
    /// The start, on clocks in standard time.
    package let start: Change
    /// The end, on clocks in daylight saving time.
    package let end: Change

    package init(type: LocalTimeType, start: Change, end: Change) {
      self.type = type
      self.start = start
      self.end = end
    }
  }

  /// The local time outside of daylight saving time.
  package let standard: LocalTimeType
  /// The daylight saving time, or nil if the zone has none.
  package let daylight: Daylight?

  package init(standard: LocalTimeType, daylight: Daylight?) {
    self.standard = standard
    self.daylight = daylight
  }

  /// The period between two transitions that contains a second.
  func segment(at second: Int64) -> ZoneSegment {
    guard let daylight else { return ZoneSegment(start: .min, end: .max, type: standard) }
    let day = second / 86_400
    let date =
      CivilDate(dayNumber: Int(day)) ?? (second < 0 ? CivilDate.first : CivilDate.last)
    // A transition is at most a week and an offset away from its day, and the division rounds a day
    // up before 1970. So the three years around the date contain the adjacent transitions, except
    // near the turn of the year.
    let isNearNewYear = !(11...354 ~= date.dayOfYear)
    let reach = isNearNewYear ? 2 : 1
    var segment = ZoneSegment(start: .min, end: .max, type: standard)
    for year in date.year - reach...date.year + reach {
      let start =
        daylight.start.wallSeconds(year: year) - Int64(standard.offset.seconds)
      let end = daylight.end.wallSeconds(year: year) - Int64(daylight.type.offset.seconds)
      segment.narrow(around: second, change: start, to: daylight.type)
      segment.narrow(around: second, change: end, to: standard)
    }
    return segment
  }
}

/// A period between two transitions of a zone, in seconds since the epoch.
struct ZoneSegment {
  /// The first second of the period, or `Int64.min`.
  var start: Int64
  /// The first second after the period, or `Int64.max`.
  var end: Int64
  /// The local time in the period.
  var type: LocalTimeType

  /// Ends the segment at a transition after `second`, or starts it at one before.
  ///
  /// Of two transitions at the same second the later call wins: where daylight time ends and starts
  /// again at once, it never ends.
  mutating func narrow(around second: Int64, change: Int64, to type: LocalTimeType) {
    if change > second {
      end = min(end, change)
    } else if change >= start {
      start = change
      self.type = type
    }
  }
}
