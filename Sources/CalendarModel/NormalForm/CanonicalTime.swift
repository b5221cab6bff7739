// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// A date or a time with a resolved TZID.
enum CanonicalTime: Equatable, Sendable {
  case date(CivilDate)
  case floating(CivilDateTime)
  case utc(CivilDateTime)
  case zoned(CivilDateTime, CanonicalZone)

  /// Converts a value, or returns nil if it is not a date or a time.
  init?(_ value: Value, tzID: String?, _ zones: inout CanonicalZones) {
    switch value {
    case .date(let date): self = .date(date)
    case .dateTime(let time, isUTC: true): self = .utc(time)
    case .dateTime(let time, isUTC: false):
      guard let zone = tzID.map({ zones.zone($0) }) else {
        self = .floating(time)
        return
      }
      self.init(time, in: zone)
    default: return nil
    }
  }

  /// Creates a time in a zone.
  init(_ time: CivilDateTime, in zone: CanonicalZone) {
    self = zone.name == CanonicalZone.utc ? .utc(time) : .zoned(time, zone)
  }

  /// The wall-clock time as written; midnight for a date.
  var wallTime: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// The instant, or nil if it depends on the reader's time zone.
  var instant: Instant? {
    switch self {
    case .date, .floating: nil
    case .utc(let time): Instant(utc: time)
    case .zoned(let time, let zone): zone.rules?.instant(of: time)
    }
  }

  /// The text of the time in the normal form.
  var text: String {
    switch self {
    case .date(let date): date.description
    case .floating(let time): time.description
    case .utc(let time): "\(time)Z"
    case .zoned(let time, let zone): "\(time) \(zone.name)"
    }
  }

  /// Converts the time to the zone of a series.
  ///
  /// The original start identifies an occurrence, but a RECURRENCE-ID can state it in UTC or in
  /// another zone. The form uses the zone of the series instead of UTC, so that updated zone rules
  /// do not change it.
  func onClock(of start: CanonicalTime?) -> CanonicalTime {
    switch start {
    case .date?: return .date(wallTime.date)
    case .utc?:
      guard case .zoned = self, let time = instant?.civil() else { return self }
      return .utc(time)
    case .zoned(_, let zone)?:
      guard let rules = zone.rules, let instant, let time = rules.civil(at: instant),
        // The wall time cannot express the second instant of a repeated hour.
        rules.instant(of: time) == instant
      else { return self }
      return .zoned(time, zone)
    case .floating?, nil: return self
    }
  }
}

extension CanonicalTime {
  /// Adds a duration: first the days on the calendar, then the exact time (RFC 5545 §3.3.6).
  ///
  /// - Returns: The time in the same zone, or in UTC if the wall time is ambiguous and would mean
  ///   the other instant; nil if the time cannot be computed.
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

  /// Returns the exact seconds to another time.
  ///
  /// In an unknown time zone every day has 24 hours.
  ///
  /// - Returns: The seconds; nil if one time is a date, or if only one time is an instant.
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

  /// The name of the time's zone; empty for a date and for a floating time.
  var clockName: String {
    switch self {
    case .date, .floating: ""
    case .utc: CanonicalZone.utc
    case .zoned(_, let zone): zone.name
    }
  }
}

/// A resolved TZID, with a name that is equal for all TZIDs with the same meaning.
struct CanonicalZone: Equatable, Sendable {
  /// The name of the zone in the normal form.
  let name: String
  /// The UTC offsets of the zone, or nil if they are unknown.
  let rules: ZoneRules?
  /// Whether only a definition in the calendar gives the TZID its meaning.
  var isDefined = false

  /// The name of UTC; times in this zone are treated as UTC times.
  static let utc = "UTC"

  static func == (left: CanonicalZone, right: CanonicalZone) -> Bool {
    left.name == right.name
  }
}

/// The meanings of the TZIDs in one item (RFC 5545 §3.2.19).
struct CanonicalZones {
  /// The range in which an endless series is examined, in days: a hundred years.
  private static let horizon = 36_525

  private let form: NormalForm
  private var known: [String: CanonicalZone] = [:]
  private var zones: ComponentZones?

  init(_ form: NormalForm, _ components: [Component], _ definitions: [Component]) {
    self.form = form
    zones = form.zones.map {
      ComponentZones($0, components: components, definitions: definitions)
    }
  }

  /// Returns the zone of a TZID.
  mutating func zone(_ tzID: String) -> CanonicalZone {
    if let zone = known[tzID] { return zone }
    let zone = found(tzID)
    known[tzID] = zone
    return zone
  }

  private mutating func found(_ tzID: String) -> CanonicalZone {
    guard let resolver = form.zones, let zone = zones?.zone(tzID) else {
      return CanonicalZone(name: tzID, rules: nil)
    }
    let rules = try? resolver.rules(of: zone)
    switch zone.meaning {
    case .named(let name): return CanonicalZone(name: zone.canonicalName ?? name, rules: rules)
    case .fixed(let offset): return CanonicalZone(name: "fixed \(offset)", rules: rules)
    case .embedded(let definition):
      let meaning =
        rules.map { offsets(of: $0, for: tzID) } ?? CanonicalForm.digest(of: definition).description
      return CanonicalZone(name: "defined \(meaning)", rules: rules, isDefined: true)
    case .floating: return CanonicalZone(name: "unknown \(tzID)", rules: nil)
    }
  }

  /// Returns a digest of the zone's offsets in the range in which the item uses the zone.
  ///
  /// The rules of two definitions may differ before and after it, where programs cut them off.
  private mutating func offsets(of rules: ZoneRules, for tzID: String) -> String {
    guard let use = zones?.use(of: tzID), let first = use.first, let last = use.last else {
      return "unused"
    }
    let days = use.isEndless ? Self.horizon : 2
    let start = Instant(utc: first.adding(days: -1) ?? first)
    let end = Instant(utc: last.adding(days: days) ?? last)
    var form = CanonicalForm()
    form.append(rules.offset(at: start).description)
    for change in rules.transitions(from: start, to: end)
    where change.before.offset != change.after.offset {
      form.append(change.instant.description)
      form.append(change.after.offset.description)
    }
    return SHA256.digest(of: form.bytes).description
  }
}
