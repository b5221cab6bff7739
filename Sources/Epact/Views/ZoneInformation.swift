// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
public import CivilTime

/// A time zone at an instant: its rules, the local time, and the next changes of its offset.
public struct ZoneInformation: Sendable {
  /// The rules.
  public let rules: ZoneRules
  /// The instant.
  public let instant: Instant
  /// The offset and the abbreviation at the instant.
  public let type: LocalTimeType

  init(_ rules: ZoneRules, at instant: Instant) {
    self.rules = rules
    self.instant = instant
    type = rules.localTimeType(at: instant)
  }

  /// The local time at the instant; nil outside of the years 1 through 9999.
  public var localTime: CivilDateTime? { rules.civil(at: instant) }

  /// The next changes of the offset after the instant, at most `count`.
  public func nextChanges(_ count: Int) -> [ZoneTransition] {
    Array(rules.transitions(from: instant.adding(seconds: 1) ?? instant).prefix(count))
  }
}

extension ResolvedZone {
  /// The meaning of the name, as the end of a sentence.
  package var meaning: String {
    let canonical = canonicalName ?? ""
    switch source {
    case .utc: return "a name of UTC"
    case .name where name == canonical: return "a time zone"
    case .name: return "another name of \(canonical)"
    case .spelling: return "another spelling of \(canonical)"
    case .path: return "\(canonical), by the end of its path"
    case .windows: return "\(canonical), by its name in Windows"
    case .alias: return "\(canonical), by a name for people"
    case .location: return "\(canonical), by what its definition says of itself"
    case .offset: return "an offset from UTC"
    case .definition: return "what the file defines it to be"
    case .place: return "\(canonical), by a place"
    case .unknown: return "no time zone"
    }
  }
}

extension ZoneReport {
  /// Whether the TZID cannot be resolved, or its definition is invalid or differs.
  package var isFault: Bool {
    zone.source == .unknown || definitionError != nil || !differences.isEmpty
  }
}

/// The names of the time zone database.
public struct ZoneNames: Sendable {
  /// The canonical names, sorted.
  public let zones: [String]
  /// The number of other names of these zones.
  public let otherNameCount: Int
}

extension Machine {
  /// The names of all time zones.
  public var zoneNames: ZoneNames {
    let names = zones.names
    let canonical = names.filter { zones.canonicalName(of: $0) == $0 }
    return ZoneNames(zones: canonical, otherNameCount: names.count - canonical.count)
  }

  /// Reads a time zone of the database.
  ///
  /// - Throws: `ZoneError` if the zone is unknown or its file is invalid.
  public func zone(named name: String, at instant: Instant) throws(ZoneError) -> ZoneInformation {
    ZoneInformation(try zones.rules(named: name), at: instant)
  }

  /// Reads the time zone that a TZID is resolved to.
  ///
  /// - Throws: `ZoneResolutionError` if the TZID is unknown.
  public func zone(
    _ zone: ResolvedZone, at instant: Instant
  ) throws(ZoneResolutionError) -> ZoneInformation {
    ZoneInformation(try zoneResolver.rules(of: zone), at: instant)
  }

  /// The names of the database that are similar to an unknown name, of which a user may mean one.
  public func similarZoneName(to name: String) -> String? {
    // Short names are similar to too many others.
    name.utf8.count < 6 ? nil : Suggestion.nearest(to: name, among: zones.names)
  }
}
