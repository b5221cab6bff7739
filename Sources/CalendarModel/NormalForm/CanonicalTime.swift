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
