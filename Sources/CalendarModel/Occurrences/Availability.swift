// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The availability of a user according to VAVAILABILITY components (RFC 7953).
///
/// ```swift
/// var availability = Availability(in: range, viewer: berlin, zones: resolver)
/// for component in calendar.components(named: .availability) {
///   availability.add(component, timeZones: calendar.components(named: .timeZone))
/// }
/// freeBusy.add(availability.periods)
/// ```
///
/// - During a VAVAILABILITY the user is busy except in its AVAILABLE components. It lasts from
///   DTSTART to DTEND, and is unbounded where one of them is missing. BUSYTYPE defines the kind;
///   the default, also for an unknown type, is `BUSY-UNAVAILABLE` (RFC 7953 §3.2).
/// - AVAILABLE components recur like events, with exclusions and overrides. Components with the
///   same UID form a series.
/// - Where several components overlap, the one with the highest PRIORITY applies: 1 is the highest,
///   and 0, the default, is the lowest (RFC 7953 §4). The RFC does not define the result for equal
///   priorities: the user is free where all components are free, and otherwise busy with the first
///   of `BUSY`, `BUSY-UNAVAILABLE`, `BUSY-TENTATIVE` that one of them has.
/// - Of two components with the same UID, the one with the higher SEQUENCE applies. With the same
///   SEQUENCE both apply, as `RivalRanking` decides for all items.
public struct Availability: Sendable {
  /// The busy and free times of a component.
  private struct Entry {
    let uid: UID?
    let sequence: Int
    /// The rank of the priority: 1 through 9, and 10 for none; higher ranks are considered later.
    let rank: Int
    let kind: FreeBusy.Kind
    let whole: Range<Instant>
    let busy: InstantRanges
  }

  /// The precedence of kinds with the same priority (RFC 7953 §4).
  ///
  /// It differs from the precedence of busy times in general.
  private static let kinds: [FreeBusy.Kind] = [.busy, .busyUnavailable, .busyTentative]
  /// The years 1 through 9999.
  private static let always =
    Instant(secondsSinceEpoch: -62_135_596_800)..<Instant(secondsSinceEpoch: 253_402_300_799)

  /// The requested range.
  public let range: Range<Instant>
  private let viewer: ZoneRules
  private let zones: ZoneResolver
  private let options: OccurrenceOptions
  private var list: FindingList
  private var entries: [Entry] = []
  /// The highest SEQUENCE of each UID.
  private var sequences: [UID: Int] = [:]

  /// Creates an availability without components.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is exclusive.
  ///   - viewer: The viewer's time zone, for floating times.
  ///   - zones: The resolver of TZIDs.
  ///   - options: The choices where the RFC is ambiguous.
  public init(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver,
    options: OccurrenceOptions = OccurrenceOptions()
  ) {
    self.range = range
    self.viewer = viewer
    self.zones = zones
    self.options = options
    list = FindingList(limit: options.findingLimit)
  }

  /// Findings about the added components, such as unreadable values and unknown time zones.
  public var findings: [OccurrenceFinding] { list.findings }

  /// Adds a VAVAILABILITY; other components are ignored.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - timeZones: The VTIMEZONE components of its source.
  ///   - source: A number chosen by the caller; findings contain it to identify their source.
  public mutating func add(
    _ component: Component, timeZones: [Component] = [], source: Int = 0
  ) {
    guard component.name == .availability else { return }
    let whole = extent(of: component, timeZones, source)
    let priority = component[.priority].flatMap { Int($0.rawValue) } ?? 0
    let word = component[.busyType]?.text.asciiUppercased ?? ""
    let kind = FreeBusy.Kind(rawValue: word).flatMap { $0 == .free ? nil : $0 }
    let entry = Entry(
      uid: component.uid, sequence: component.revision.sequence,
      rank: 1...9 ~= priority ? priority : 10, kind: kind ?? .busyUnavailable, whole: whole,
      busy: InstantRanges(merging: [whole]).subtracting(
        available(in: component, timeZones, source)))
    if let uid = entry.uid { sequences[uid] = max(sequences[uid] ?? 0, entry.sequence) }
    entries.append(entry)
  }

  /// The busy periods of the added components, without overlaps.
  public var periods: [FreeBusy.Period] {
    var periods: [FreeBusy.Period] = []
    var decided = InstantRanges(merging: [])
    let entries = entries.filter { entry in
      entry.uid.map { entry.sequence >= sequences[$0] ?? 0 } ?? true
    }
    for rank in 1...10 {
      let equals = entries.filter { $0.rank == rank }
      var taken = decided
      for kind in Self.kinds {
        let said = equals.filter { $0.kind == kind }.flatMap(\.busy.ranges)
        let busy = InstantRanges(merging: said).subtracting(taken)
        periods += busy.ranges.map { FreeBusy.Period(interval: $0, kind: kind) }
        taken = InstantRanges(merging: taken.ranges + busy.ranges)
      }
      decided = InstantRanges(merging: decided.ranges + equals.map(\.whole))
    }
    return periods
  }

  /// The time range of a component, within the requested range.
  private mutating func extent(
    of component: Component, _ timeZones: [Component], _ source: Int
  ) -> Range<Instant> {
    var lower = range.lowerBound
    var upper = range.upperBound
    if let start = component[.dtStart] {
      let end = component[.dtEnd] ?? component[.duration]
      let event = Component(.event, properties: [start] + (end.map { [$0] } ?? []))
      if let found = occurrences([[event]], in: Self.always, timeZones, source).first {
        lower = max(lower, found.lowerBound)
        if end != nil { upper = min(upper, found.upperBound) }
      }
    }
    return lower..<max(lower, upper)
  }

  /// The free times of the AVAILABLE components in a component.
  private mutating func available(
    in component: Component, _ timeZones: [Component], _ source: Int
  ) -> InstantRanges {
    var items = Groups<UID, Component>()
    for available in component.components(named: .available) {
      // An AVAILABLE component has the time properties of an event; its STATUS is irrelevant.
      let properties = available.properties.filter { !$0.isNamed(.status) }
      items.add(Component(.event, properties: properties), to: available.uid)
    }
    return InstantRanges(merging: occurrences(items.all, in: range, timeZones, source))
  }

  /// The time ranges of items.
  private mutating func occurrences(
    _ items: [[Component]], in range: Range<Instant>, _ timeZones: [Component], _ source: Int
  ) -> [Range<Instant>] {
    var query = OccurrenceQuery(in: range, viewer: viewer, zones: zones, options: options)
    for item in items { query.add(components: item, timeZones: timeZones, source: source) }
    list.add(query.findings.map(\.diagnostic), source: source)
    var iterator = query.occurrences().makeIterator()
    var found: [Range<Instant>] = []
    // Adjacent ranges are merged immediately to limit memory.
    while let occurrence = iterator.next() {
      let interval = occurrence.interval
      if let last = found.last, interval.lowerBound <= last.upperBound {
        found[found.count - 1] = last.lowerBound..<max(last.upperBound, interval.upperBound)
      } else {
        found.append(interval)
      }
    }
    list.add(iterator.findings.map(\.diagnostic), source: source)
    return found
  }
}
