// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// A day or a time in which a TZID is what it means.
enum CanonicalTime: Equatable, Sendable {
  case date(CivilDate)
  case floating(CivilDateTime)
  case utc(CivilDateTime)
  case zoned(CivilDateTime, CanonicalZone)

  /// The time that a value is, or nil if it is none.
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

  /// The time on the clocks of a zone.
  init(_ time: CivilDateTime, in zone: CanonicalZone) {
    self = zone.name == CanonicalZone.utc ? .utc(time) : .zoned(time, zone)
  }

  /// The wall time as it is written, at midnight for a day.
  var wallTime: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// The point in time, or nil if that depends on who reads it.
  var instant: Instant? {
    switch self {
    case .date, .floating: nil
    case .utc(let time): Instant(utc: time)
    case .zoned(let time, let zone): zone.rules?.instant(of: time)
    }
  }

  /// What stands for the time in the normal form.
  var text: String {
    switch self {
    case .date(let date): date.description
    case .floating(let time): time.description
    case .utc(let time): "\(time)Z"
    case .zoned(let time, let zone): "\(time) \(zone.name)"
    }
  }

  /// The time as the clock of a series shows it.
  ///
  /// An occurrence is known by when it would start, and whoever names it may do so in UTC or in another
  /// zone. It is the clock of the series and not UTC, so that new rules for a zone change no form.
  func onClock(of start: CanonicalTime?) -> CanonicalTime {
    switch start {
    case .date?: return .date(wallTime.date)
    case .utc?:
      guard case .zoned = self, let time = instant?.civil() else { return self }
      return .utc(time)
    case .zoned(_, let zone)?:
      guard let rules = zone.rules, let instant, let time = rules.civil(at: instant),
        // Of a time that the clocks show twice, the second cannot be told by the clock.
        rules.instant(of: time) == instant
      else { return self }
      return .zoned(time, zone)
    case .floating?, nil: return self
    }
  }
}
