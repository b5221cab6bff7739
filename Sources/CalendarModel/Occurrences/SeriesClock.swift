// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The clock that the times of a component are read by, with the rules of its zone at hand.
struct SeriesClock: Hashable, Sendable {
  /// In which of the forms of RFC 5545 §3.3.4 and §3.3.5 times stand.
  enum Form: Hashable, Sendable {
    case date, floating, utc
    case zoned(tzID: String)
  }

  let form: Form
  /// The rules of the zone; for days and floating times, of the zone of whoever looks.
  let rules: ZoneRules

  /// Whether it tells days only.
  var isDate: Bool { form == .date }

  /// The same for the expansion of rules.
  ///
  /// Floating times are expanded on the clock of whoever looks, so that what it skips or repeats keeps
  /// the order of time.
  var recurrenceClock: RecurrenceClock {
    switch form {
    case .date: .date
    case .utc: .utc
    case .floating, .zoned: .zone(rules)
    }
  }

  /// What the clock shows at a point in time, or nil outside the years 1 through 9999.
  func time(at instant: Instant) -> OccurrenceTime? {
    guard let wall = rules.civil(at: instant) else { return nil }
    return OccurrenceTime(eventTime(wall), instant)
  }

  /// The moment at which the clock shows a time; for a clock of days, at which the day begins.
  func time(of wall: CivilDateTime) -> OccurrenceTime {
    if isDate { return day(wall.date) }
    let instant = rules.instant(of: wall)
    return time(at: instant) ?? OccurrenceTime(eventTime(wall), instant)
  }

  /// The moment at which a day begins.
  func day(_ date: CivilDate) -> OccurrenceTime {
    OccurrenceTime(.date(date), start(of: date))
  }

  /// The point in time at which a day begins.
  func start(of date: CivilDate) -> Instant { rules.instant(of: CivilDateTime(date, .midnight)) }

  /// The point in time a duration after a moment on the clock (RFC 5545 §3.3.6).
  func instant(of time: OccurrenceTime, adding duration: CivilDuration) -> Instant? {
    guard duration.nominalDays != 0 else {
      return time.instant.adding(seconds: duration.exactSeconds)
    }
    return rules.instant(of: time.time.wallTime, adding: duration)
  }

  private func eventTime(_ wall: CivilDateTime) -> EventTime {
    switch form {
    case .date: .date(wall.date)
    case .floating: .floating(wall)
    case .utc: .utc(wall)
    case .zoned(let tzID): .zoned(wall, tzID: tzID)
    }
  }
}
