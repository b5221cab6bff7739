// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The clock of a component's times, with the rules of its zone.
struct SeriesClock: Hashable, Sendable {
  /// The form of the times (RFC 5545 §3.3.4 and §3.3.5).
  enum Form: Hashable, Sendable {
    case date, floating, utc
    case zoned(tzID: String)
  }

  let form: Form
  /// The rules of the zone; for dates and floating times, of the viewer's time zone.
  let rules: ZoneRules

  /// Whether the clock has dates only.
  var isDate: Bool { form == .date }

  /// The corresponding clock for the expansion of rules.
  ///
  /// Floating times are expanded in the viewer's time zone, so that gaps and repeated hours
  /// preserve the chronological order.
  var recurrenceClock: RecurrenceClock {
    switch form {
    case .date: .date
    case .utc: .utc
    case .floating, .zoned: .zone(rules)
    }
  }

  /// Returns the time at an instant, or nil outside the years 1 through 9999.
  func time(at instant: Instant) -> OccurrenceTime? {
    guard let wall = rules.civil(at: instant) else { return nil }
    return OccurrenceTime(eventTime(wall), instant)
  }

  /// Returns the occurrence time for a wall-clock time; for a clock of dates, the start of the day.
  func time(of wall: CivilDateTime) -> OccurrenceTime {
    if isDate { return day(wall.date) }
    let instant = rules.instant(of: wall)
    return time(at: instant) ?? OccurrenceTime(eventTime(wall), instant)
  }

  /// Returns the occurrence time for the start of a day.
  func day(_ date: CivilDate) -> OccurrenceTime {
    OccurrenceTime(.date(date), start(of: date))
  }

  /// Returns the instant at which a day starts.
  func start(of date: CivilDate) -> Instant { rules.instant(of: CivilDateTime(date, .midnight)) }

  /// Returns the instant at a duration after a time (RFC 5545 §3.3.6).
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
