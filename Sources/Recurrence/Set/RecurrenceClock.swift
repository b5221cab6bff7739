// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// By what clock the start of a recurrence is to be read: the type of its DTSTART.
public enum RecurrenceClock: Hashable, Sendable {
  /// None: the start is a day (RFC 5545 §3.3.4).
  case date
  /// Whatever clock it is read by (RFC 5545 §3.3.5, form 1).
  case floating
  /// One in UTC (form 2).
  case utc
  /// Those of a zone (form 3).
  case zone(ZoneRules)
}

/// A moment that is added to a recurrence or taken out of it (RFC 5545 §3.8.5.1, §3.8.5.2).
public enum RecurrenceMoment: Hashable, Sendable {
  /// A day.
  ///
  /// Lenient: added to a recurrence of times it is the start of that day, and taken out of one it is
  /// all of the day.
  case date(CivilDate)
  /// A time on the clock of the recurrence.
  ///
  /// Lenient: in a recurrence of days it is its date.
  case local(CivilDateTime)
  /// A point in time, for a moment in UTC or in another zone.
  ///
  /// Lenient: in a recurrence without a zone it is what a clock in UTC shows.
  case instant(Instant)
}

/// A clock that turns times into keys: seconds that are equal if the moments are the same, and in the
/// order of time.
///
/// With a zone the key is the instant; without one it is the time on the wall.
struct KeyClock: Sendable {
  private let isDate: Bool
  /// Whether keys are points in time.
  let hasInstants: Bool
  private let zone: ZoneRules?
  /// The wall seconds around the last one for which the zone was asked, and their offset.
  private var stretch: Range<Int64> = 0..<0
  private var offset: Int64 = 0

  init(_ clock: RecurrenceClock) {
    isDate = clock == .date
    if case .zone(let rules) = clock { zone = rules } else { zone = nil }
    hasInstants = clock == .utc || zone != nil
    if zone == nil { stretch = .min ..< .max }
  }

  /// The offset of a wall second if the clocks show it once, found again without asking the zone.
  mutating func steadyOffset(of wallSecond: Int64) -> Int64? {
    if stretch.contains(wallSecond) { return offset }
    guard let found = zone?.steadyStretch(around: wallSecond) else { return nil }
    (stretch, offset) = found
    return offset
  }

  /// The offsets that a wall second can have.
  func resolve(_ wallSecond: Int64) -> LocalTimeResolution {
    guard let zone, let wall = CivilDateTime(wallSeconds: wallSecond) else { return .unique(.zero) }
    return zone.resolve(wall)
  }

  /// The key of a time on the clock (RFC 5545 §3.3.5).
  func key(of wall: CivilDateTime) -> Int64 {
    zone?.instant(of: wall).secondsSinceEpoch ?? wall.wallSeconds
  }

  /// The key of a moment, and the wall second of it.
  func key(of moment: RecurrenceMoment) -> Moment {
    let wall: CivilDateTime
    switch moment {
    case .date(let date): wall = CivilDateTime(date, .midnight)
    case .local(let time): wall = isDate ? CivilDateTime(time.date, .midnight) : time
    case .instant(let instant) where isDate:
      wall = CivilDateTime(instant.civil()?.date ?? .first, .midnight)
    case .instant(let instant):
      let seconds = instant.secondsSinceEpoch
      return Moment(key: seconds, wall: zone?.civil(at: instant)?.wallSeconds ?? seconds)
    }
    return Moment(key: key(of: wall), wall: wall.wallSeconds)
  }

  /// A wall second such that nothing before it has the key or a later one.
  ///
  /// In the hours after a gap, times from within the gap have the same keys as those after it.
  func firstWallSecond(ofKey key: Int64) -> Int64 {
    guard let zone else { return key }
    let instant = Instant(secondsSinceEpoch: key)
    var least = Int64(zone.offset(at: instant).seconds)
    let start = Instant(secondsSinceEpoch: key - 86_400)
    for change in zone.transitions(from: start, to: Instant(secondsSinceEpoch: key + 1)) {
      least = min(least, Int64(change.before.offset.seconds))
    }
    return key + least
  }
}

/// A moment as a key and as a time on the wall, both in seconds.
struct Moment: Hashable, Sendable {
  let key: Int64
  let wall: Int64
}
