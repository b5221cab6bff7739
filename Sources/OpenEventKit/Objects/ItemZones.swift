// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax

/// The time zones between the times of files and the dates of objects.
///
/// A date and a floating time of a file are in the viewer's zone.
struct ItemZones: Sendable {
  /// The meaning of a TZID.
  struct Zone: Sendable {
    let timeZone: TimeZone
    let rules: ZoneRules
  }

  /// The resolver of TZIDs.
  let resolver: ZoneResolver
  /// The viewer's zone, as Foundation has it.
  let viewer: TimeZone
  /// The rules of the viewer's zone.
  let viewerRules: ZoneRules

  init(resolver: ZoneResolver, viewer: TimeZone) {
    self.resolver = resolver
    self.viewer = viewer
    viewerRules = Self.rules(of: viewer, resolver)
  }

  /// The calendar of the components that objects return.
  static let gregorian = Calendar(identifier: .gregorian)

  // MARK: From files

  /// The zone of a TZID; nil if its times are floating.
  ///
  /// - Parameters:
  ///   - tzID: The TZID.
  ///   - definitions: The definitions of the item.
  ///   - time: A time in the zone.
  /// - Returns: The zone.
  func zone(
    of tzID: String, _ definitions: [Component], at time: CivilDateTime? = nil
  ) -> Zone? {
    let resolved = resolver.resolve(tzID, definitions: definitions)
    // An unknown name is not an error of the store: its times float.
    guard let rules = try? resolver.rules(of: resolved) else { return nil }
    if let zone = TimeZone(resolved) { return Zone(timeZone: zone, rules: rules) }
    // Foundation has no zone for a definition, so that objects show a constant offset. The instants
    // are right nevertheless.
    let offset = rules.offset(
      at: time.map { rules.instant(of: $0) } ?? Instant(secondsSinceEpoch: 0))
    return TimeZone(secondsFromGMT: Int(offset.seconds)).map { Zone(timeZone: $0, rules: rules) }
  }

  /// The zone of a time: nil for a date, for a floating time and for a TZID without rules.
  func timeZone(of time: EventTime?, _ definitions: [Component]) -> TimeZone? {
    switch time {
    case .utc: .gmt
    case .zoned(let wall, let tzID): zone(of: tzID, definitions, at: wall)?.timeZone
    case .date, .floating, nil: nil
    }
  }

  /// The instant of a time; the start of a date.
  func instant(of time: EventTime, _ definitions: [Component]) -> Instant {
    switch time {
    case .date(let date): viewerRules.instant(of: CivilDateTime(date, .midnight))
    case .floating(let wall): viewerRules.instant(of: wall)
    case .utc(let wall): Instant(utc: wall)
    case .zoned(let wall, let tzID):
      (zone(of: tzID, definitions)?.rules ?? viewerRules).instant(of: wall)
    }
  }

  /// The time of an occurrence, in UTC if a local time would be the first of two hours.
  func time(of occurrence: OccurrenceTime, _ definitions: [Component]) -> EventTime {
    guard !occurrence.time.isAllDay,
      instant(of: occurrence.time, definitions) != occurrence.instant
    else { return occurrence.time }
    return occurrence.instant.civil().map { .utc($0) } ?? occurrence.time
  }

  // MARK: To files

  /// The day of a date in the viewer's zone; nil beyond the year 9999.
  func day(of date: Date) -> CivilDate? {
    Instant(date).flatMap { viewerRules.civil(at: $0) }?.date
  }

  /// The first second of the viewer's day.
  func start(of date: Date) -> Date {
    guard let day = day(of: date) else { return date }
    return Date(viewerRules.instant(of: CivilDateTime(day, .midnight)))
  }

  /// The last second of the viewer's day.
  func end(of date: Date) -> Date {
    guard let next = day(of: date)?.adding(days: 1) else { return date }
    let midnight = viewerRules.instant(of: CivilDateTime(next, .midnight))
    return Date(midnight).addingTimeInterval(-1)
  }

  /// The time of a date in a zone; without a zone it is floating.
  ///
  /// It is in UTC if the zone is UTC, or has neither a name in the database nor a constant offset.
  func time(of date: Date, in timeZone: TimeZone?) -> EventTime? {
    guard let instant = Instant(date) else { return nil }
    guard let timeZone else { return viewerRules.civil(at: instant).map { .floating($0) } }
    guard let zone = namedZone(timeZone) else { return instant.civil().map { .utc($0) } }
    return zone.civil(at: instant).map { .zoned($0, tzID: timeZone.identifier) }
  }

  /// The time of a date in the form of another time.
  func time(
    of date: Date, like other: EventTime, _ definitions: [Component]
  ) -> EventTime? {
    guard let instant = Instant(date) else { return nil }
    switch other {
    case .date: return viewerRules.civil(at: instant).map { .date($0.date) }
    case .floating: return viewerRules.civil(at: instant).map { .floating($0) }
    case .utc: return instant.civil().map { .utc($0) }
    case .zoned(_, let tzID):
      let rules = zone(of: tzID, definitions)?.rules ?? viewerRules
      return rules.civil(at: instant).map { .zoned($0, tzID: tzID) }
    }
  }

  /// The rules of a zone that files can name or define; nil for UTC.
  private func namedZone(_ timeZone: TimeZone) -> ZoneRules? {
    let resolved = resolver.resolve(timeZone)
    switch resolved.meaning {
    case .named("UTC"), .fixed(.zero), .embedded, .floating: return nil
    case .named, .fixed:
      // Without rules in the database the time is written in UTC.
      return try? resolver.rules(of: resolved)
    }
  }

  private static func rules(of timeZone: TimeZone, _ resolver: ZoneResolver) -> ZoneRules {
    // Foundation may know zones that the database does not have; their offset is used then.
    if let rules = try? resolver.rules(of: timeZone) { return rules }
    let offset = UTCOffset(seconds: timeZone.secondsFromGMT()) ?? .zero
    return ZoneRules(
      fixed: LocalTimeType(offset: offset, isDaylight: false, abbreviation: "LMT"),
      name: timeZone.identifier)
  }
}
