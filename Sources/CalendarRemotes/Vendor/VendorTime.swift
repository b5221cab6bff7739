// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The times of an item as vendors store them: a date, or a local time in a zone of the time zone database.
///
/// RFC 5545 has more: floating times, and zones that the file defines. What differs from the vendor's
/// form goes into the stash; a series in a zone without a name is refused.
struct VendorTimes: Sendable {
  private let resolver: ZoneResolver
  private let definitions: [Component]
  /// The zone of floating times: that of the user.
  private let floatingZone: String
  /// Whether only a zone with a name can be used, because the times recur.
  private let needsName: Bool

  /// Creates the times of an item.
  init(of item: CalendarItem, _ zones: VendorZones) {
    resolver = zones.resolver
    floatingZone = zones.floating
    definitions = item.timeZones
    needsName = item.main.map(\.isSeries) ?? false
  }

  /// Converts a time to a date, a time in UTC, or a local time in a named zone.
  ///
  /// - Throws: `HoldingRefusal.timeZone` if the zone has no name, and the item recurs or the zone has no
  ///   rules.
  func vendorTime(_ time: EventTime) throws(HoldingRefusal) -> EventTime {
    switch time {
    case .date, .utc: return time
    case .floating(let wall): return .zoned(wall, tzID: floatingZone)
    case .zoned(let wall, let tzID):
      let zone = resolver.resolve(tzID, definitions: definitions)
      if let name = zone.name { return name == "UTC" ? .utc(wall) : .zoned(wall, tzID: name) }
      guard !needsName, let rules = try? resolver.rules(of: zone),
        let utc = rules.instant(of: wall).civil()
      else { throw .timeZone(tzID) }
      return .utc(utc)
    }
  }

  /// The instant of a time; midnight in UTC for a date.
  func instant(of time: EventTime) throws(HoldingRefusal) -> Instant {
    switch try vendorTime(time) {
    case .date(let date): return Instant(utc: CivilDateTime(date, .midnight))
    case .utc(let wall), .floating(let wall): return Instant(utc: wall)
    case .zoned(let wall, let name):
      guard let rules = try? resolver.rules(of: resolver.resolve(name)) else {
        throw .timeZone(name)
      }
      return rules.instant(of: wall)
    }
  }

  /// A time in the form of the start of the series, which identifies an occurrence.
  func identifier(_ time: EventTime, likeStart start: EventTime) throws(HoldingRefusal) -> EventTime
  {
    switch try vendorTime(start) {
    case .date: return .date(time.date)
    case .utc, .floating:
      guard let wall = try instant(of: time).civil() else { throw .stray(time.spelled) }
      return .utc(wall)
    case .zoned(_, let name):
      guard let rules = try? resolver.rules(of: resolver.resolve(name)),
        let wall = rules.civil(at: try instant(of: time))
      else { throw .timeZone(name) }
      return .zoned(wall, tzID: name)
    }
  }

  /// The end of an event as a time of the same kind as its start; vendors have no durations.
  ///
  /// Without an end, an event lasts one day or no time (RFC 5545 §3.6.1).
  func end(of event: Event, from start: EventTime) throws(HoldingRefusal) -> EventTime {
    let start = try vendorTime(start)
    switch event.end {
    case .time(let time)? where time.isAllDay == start.isAllDay:
      let end = try vendorTime(time)
      guard try instant(of: start) <= instant(of: end) else { throw .endBeforeStart }
      return start.isAllDay && start == end ? nextDay(start) : end
    case .duration(let duration)? where !duration.isNegative:
      return try adding(duration, to: start)
    default: return nextDay(start)
    }
  }

  private func nextDay(_ start: EventTime) -> EventTime {
    guard case .date(let date) = start else { return start }
    return .date(date.adding(days: 1) ?? date)
  }

  private func adding(
    _ duration: CivilDuration, to start: EventTime
  ) throws(HoldingRefusal) -> EventTime {
    switch start {
    case .date(let date):
      let days = duration.nominalDays
      return days > 0 ? .date(date.adding(days: days) ?? date) : nextDay(start)
    case .utc(let wall), .floating(let wall): return .utc(wall.adding(duration) ?? wall)
    case .zoned(let wall, let name):
      guard let rules = try? resolver.rules(of: resolver.resolve(name)),
        let end = rules.instant(of: wall, adding: duration).flatMap(rules.civil)
      else { throw .timeZone(name) }
      return .zoned(end, tzID: name)
    }
  }
}

/// The time zones that vendors and items share.
package struct VendorZones: Sendable {
  /// Resolves TZIDs to zones of the database.
  let resolver: ZoneResolver
  /// The name of the zone in which floating times are shown: that of the user.
  let floating: String

  /// Creates the zones.
  package init(resolver: ZoneResolver, floating: String) {
    (self.resolver, self.floating) = (resolver, floating)
  }

  /// The local time of an instant in a zone; in UTC if the zone is unknown.
  func time(of instant: Instant, in name: String?) -> EventTime? {
    if let name, !["UTC", "Etc/UTC", "GMT"].contains(name),
      let rules = try? resolver.rules(of: resolver.resolve(name)),
      let wall = rules.civil(at: instant)
    {
      return .zoned(wall, tzID: name)
    }
    return instant.civil().map { .utc($0) }
  }
}

/// A time with an offset from UTC (RFC 3339 §5.6).
struct InternetTime: Hashable, Sendable {
  /// The instant.
  let instant: Instant

  /// Parses a time such as `2026-03-02T09:00:00.000+01:00`; without an offset, it is in UTC.
  ///
  /// - Parameter text: The text; fractions of a second are dropped.
  init?(_ text: String) {
    let (clock, rest) = (text.prefix(19), text.dropFirst(19))
    guard let wall = try? CivilDateTime(parsing: String(clock)) else { return nil }
    let zone = rest.first == "." ? rest.dropFirst().drop { $0.isNumber } : rest
    guard let seconds = Self.offset(zone),
      let instant = Instant(utc: wall).adding(seconds: -Int64(seconds))
    else { return nil }
    self.instant = instant
  }

  private static func offset(_ text: Substring) -> Int? {
    if text.isEmpty || text == "Z" || text == "z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = ["+": 1, "-": -1][text.first ?? " "], digits.count == 4,
      let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), minutes < 60,
      hours < 24
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
