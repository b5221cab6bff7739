// SPDX-License-Identifier: Apache-2.0

/// The UTC offsets and transitions of a time zone, for all years from 1 through 9999.
///
/// ```swift
/// let berlin = try database.rules(named: "Europe/Berlin")
/// let start = try CivilDateTime(parsing: "20260329T023000")
/// berlin.resolve(start)        // .gap(before: +0100, after: +0200)
/// berlin.instant(of: start)    // 20260329T013000Z, which is 03:30 there
/// ```
///
/// Instants outside those years use the offset of the nearest year.
///
/// ## Topics
///
/// ### From a point in time
/// - ``offset(at:)``
/// - ``localTimeType(at:)``
/// - ``civil(at:)``
///
/// ### From a wall clock
/// - ``resolve(_:)``
/// - ``instant(of:)``
/// - ``instant(of:adding:)``
///
/// ### Transitions
/// - ``transitions(from:to:)``
/// - ``differences(from:between:and:)``
public struct ZoneRules: Hashable, Sendable {
  /// The name under which the zone was loaded, such as `Europe/Berlin`.
  public let name: String
  private let times: TransitionTable
  /// The offset before the first transition, and after each.
  private let offsets: [UTCOffset]
  private let typeIndices: [UInt8]
  private let types: [LocalTimeType]
  private let initial: LocalTimeType
  /// The yearly rule after the last listed transition, or nil if there is none.
  package let finalRule: POSIXZone?
  /// Whether ``finalRule`` exists; a stored flag is faster than checking the optional itself.
  private let hasFinalRule: Bool

  /// The last listed transition, or nil if there is none; ``finalRule`` applies after it.
  package var lastListedChange: Instant? { times.times.last.map(Instant.init(secondsSinceEpoch:)) }

  /// Parses the rules of a zone from a TZif file of any version (RFC 9636).
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The name of the zone.
  /// - Throws: `ZoneError` if the file is malformed or counts leap seconds.
  public init(tzif bytes: Span<UInt8>, name: String) throws(ZoneError) {
    let file = try TZif(bytes, zone: name)
    self.init(
      name: name, times: file.times, typeIndices: file.typeIndices, types: file.types,
      finalRule: file.footer)
  }

  /// Creates the rules of a zone without transitions.
  ///
  /// - Parameters:
  ///   - type: The local time of the zone.
  ///   - name: The name of the zone.
  public init(fixed type: LocalTimeType, name: String) {
    self.init(name: name, times: [], typeIndices: [], types: [type], finalRule: nil)
  }

  /// Creates the rules of a zone; the first of `types` applies before all transitions.
  private init(
    name: String, times: [Int64], typeIndices: [UInt8], types: [LocalTimeType],
    finalRule: POSIXZone?
  ) {
    self.name = name
    self.times = TransitionTable(times)
    self.typeIndices = typeIndices
    self.types = types
    self.finalRule = finalRule
    hasFinalRule = finalRule != nil
    initial = types[0]
    offsets = [types[0].offset] + typeIndices.map { types[Int($0)].offset }
  }

  /// Coordinated universal time, without transitions.
  public static let utc = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")

  /// Creates the rules of a zone from its transitions, or returns nil for too many time types.
  ///
  /// - Parameters:
  ///   - name: The name of the zone.
  ///   - initial: The local time before all transitions.
  ///   - changes: The transitions, in seconds since the epoch, strictly ascending, each with the
  ///     local time after it; at most 255 local time types beside `initial`.
  ///   - finalRule: The yearly rule after the last transition, or nil if there is none.
  package init?(
    name: String, initial: LocalTimeType, changes: [(second: Int64, type: LocalTimeType)],
    finalRule: POSIXZone?
  ) {
    var types = [initial]
    var indices = [initial: UInt8(0)]
    var typeIndices: [UInt8] = []
    for change in changes {
      if indices[change.type] == nil {
        guard types.count < 256 else { return nil }
        indices[change.type] = UInt8(truncatingIfNeeded: types.count)
        types.append(change.type)
      }
      typeIndices.append(indices[change.type] ?? 0)
    }
    self.init(
      name: name, times: changes.map(\.second), typeIndices: typeIndices, types: types,
      finalRule: finalRule)
  }

  /// Returns the local time type at an instant.
  ///
  /// O(log *n*) at worst in the number of transitions in the file, and O(1) if they are spread
  /// evenly.
  public func localTimeType(at instant: Instant) -> LocalTimeType {
    segment(at: instant.secondsSinceEpoch).type
  }

  /// Returns the offset from UTC at an instant.
  ///
  /// O(1) in most zones: see ``localTimeType(at:)``.
  public func offset(at instant: Instant) -> UTCOffset {
    let next = times.firstIndex(after: instant.secondsSinceEpoch)
    guard next < times.count || !hasFinalRule else { return localTimeType(at: instant).offset }
    return offsets[next]
  }

  /// Returns the abbreviation of the local time at an instant, such as `CEST`.
  public func abbreviation(at instant: Instant) -> String {
    localTimeType(at: instant).abbreviation
  }

  /// Whether an instant is in daylight saving time by the zone's law.
  public func isDaylight(at instant: Instant) -> Bool { localTimeType(at: instant).isDaylight }

  /// Returns the wall-clock time at an instant, or nil outside the years 1 through 9999.
  public func civil(at instant: Instant) -> CivilDateTime? {
    instant.civil(at: offset(at: instant))
  }

  /// Returns the offsets that a wall-clock time can have.
  public func resolve(_ wall: CivilDateTime) -> LocalTimeResolution {
    let seconds = wall.wallSeconds
    if let offset = soleOffset(around: seconds) { return .unique(offset) }
    var segment = segment(at: seconds - ZoneRules.reach)
    if segment.end > seconds + ZoneRules.reach { return .unique(segment.type.offset) }

    var first: UTCOffset?
    var last = segment.type.offset
    var gap: LocalTimeResolution?
    // At most one iteration for each transition in about two days.
    while segment.start <= seconds + ZoneRules.reach {
      let offset = segment.type.offset
      let instant = seconds - Int64(offset.seconds)
      if instant >= segment.start, instant < segment.end {
        first = first ?? offset
        last = offset
      }
      guard segment.end < .max else { break }
      let next = self.segment(at: segment.end)
      if instant >= segment.end, seconds - Int64(next.type.offset.seconds) < segment.end {
        gap = .gap(before: offset, after: next.type.offset)
      }
      segment = next
    }
    guard let first else { return gap ?? .unique(last) }
    return first == last ? .unique(first) : .fold(first: first, second: last)
  }

  /// The range of wall-clock seconds around one that has a single offset and no transition.
  ///
  /// It is nil near a transition, where the caller must use ``resolve(_:)``. It lets a caller
  /// convert many times in the range with one lookup.
  package func steadyStretch(around wallSecond: Int64) -> (
    wallSeconds: Range<Int64>, offset: Int64
  )? {
    let segment = segment(at: wallSecond - ZoneRules.reach)
    guard segment.end > wallSecond + ZoneRules.reach else { return nil }
    let start = segment.start == .min ? .min : segment.start + ZoneRules.reach
    let end = segment.end == .max ? .max : segment.end - ZoneRules.reach
    return (min(start, wallSecond)..<end, Int64(segment.type.offset.seconds))
  }

  /// Returns the instant of a wall-clock time, with the offset ``LocalTimeResolution/offset``.
  public func instant(of wall: CivilDateTime) -> Instant {
    wall.instant(at: resolve(wall).offset)
  }

  /// Returns the instant a duration after a wall-clock time (RFC 5545 §3.3.6).
  ///
  /// Weeks and days are added on the calendar, so that a day may take 23 or 25 hours. Hours,
  /// minutes and seconds are then added exactly.
  ///
  /// - Parameters:
  ///   - start: The start on the wall clock.
  ///   - duration: The duration to add.
  /// - Returns: The end, or nil if it lies outside the years 1 through 9999.
  public func instant(of start: CivilDateTime, adding duration: CivilDuration) -> Instant? {
    guard let day = start.adding(days: duration.nominalDays),
      let end = instant(of: day).adding(seconds: duration.exactSeconds), civil(at: end) != nil
    else { return nil }
    return end
  }

  /// An upper bound of UTC offsets, in seconds.
  private static let reach: Int64 = 100_000

  /// The offset of a wall-clock second far from all transitions; nil if ``segment(at:)`` is needed.
  private func soleOffset(around wallSecond: Int64) -> UTCOffset? {
    let next = times.firstIndex(after: wallSecond - ZoneRules.reach)
    guard next < times.count else { return hasFinalRule ? nil : offsets[next] }
    return times.times[next] > wallSecond + ZoneRules.reach ? offsets[next] : nil
  }

  /// The period between two transitions that contains a second.
  func segment(at second: Int64) -> ZoneSegment {
    let next = times.firstIndex(after: second)
    let times = times.times
    if next == times.count, let finalRule {
      var segment = finalRule.segment(at: second)
      if let last = times.last { segment.start = max(segment.start, last) }
      return segment
    }
    return ZoneSegment(
      start: next == 0 ? .min : times[next - 1], end: next == times.count ? .max : times[next],
      type: next == 0 ? initial : types[Int(typeIndices[next - 1])])
  }
}

/// The UTC offsets that a wall-clock time can have in a zone.
///
/// ``offset`` is the one place that decides how nonexistent and ambiguous times are read.
public enum LocalTimeResolution: Hashable, Sendable {
  /// The time occurs once.
  case unique(UTCOffset)
  /// The time does not exist: a forward transition skips it.
  case gap(before: UTCOffset, after: UTCOffset)
  /// The time is ambiguous: it occurs before and after a backward transition.
  case fold(first: UTCOffset, second: UTCOffset)

  /// The offset that iCalendar uses (RFC 5545 §3.3.5).
  ///
  /// A time in a gap uses the offset before the gap, so that 02:30 becomes 03:30. A time in a fold
  /// means its first occurrence.
  public var offset: UTCOffset {
    switch self {
    case .unique(let offset): offset
    case .gap(let before, _): before
    case .fold(let first, _): first
    }
  }
}
