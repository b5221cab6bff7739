// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// When somebody can be met at all, as VAVAILABILITY components tell it (RFC 7953).
///
/// ```swift
/// var availability = Availability(in: range, viewer: berlin, zones: resolver)
/// for component in calendar.components(named: .availability) {
///   availability.add(component, timeZones: calendar.components(named: .timeZone))
/// }
/// freeBusy.add(availability.periods)
/// ```
///
/// - A VAVAILABILITY makes somebody busy from its DTSTART until its DTEND, or for ever where one of them is
///   missing, but for what its AVAILABLE components say; how is told by BUSYTYPE, and is `BUSY-UNAVAILABLE`
///   if nothing is said, or a type that is not known (RFC 7953 §3.2).
/// - AVAILABLE components recur as events do, with exclusions and overrides, each by itself or as many as
///   share a UID.
/// - Of several the one with the higher PRIORITY decides wherever it says something: 1 is the highest, and
///   0, which is what is meant without one, the lowest (RFC 7953 §4). Of those with the same one somebody is
///   free where all are, since the RFC does not say which of them counts, and otherwise busy as the first
///   of `BUSY`, `BUSY-UNAVAILABLE`, `BUSY-TENTATIVE` that one of them says.
/// - Of two components with one UID the higher SEQUENCE counts; with the same SEQUENCE both count, as
///   `RivalRanking` decides for all items.
public struct Availability: Sendable {
  /// What one component says.
  private struct Entry {
    let uid: UID?
    let sequence: Int
    /// The higher it is, the later it is asked: 1 through 9, and 10 for none.
    let rank: Int
    let kind: FreeBusy.Kind
    let whole: Range<Instant>
    let busy: InstantRanges
  }

  /// The kinds in the order in which they count among components of one priority (RFC 7953 §4), which
  /// is not that in which they count among other busy times.
  private static let kinds: [FreeBusy.Kind] = [.busy, .busyUnavailable, .busyTentative]
  /// The years 1 through 9999.
  private static let always =
    Instant(secondsSinceEpoch: -62_135_596_800)..<Instant(secondsSinceEpoch: 253_402_300_799)

  /// The range of time that is asked for.
  public let range: Range<Instant>
  private let viewer: ZoneRules
  private let zones: ZoneResolver
  private let options: OccurrenceOptions
  private var list: FindingList
  private var entries: [Entry] = []
  /// The highest SEQUENCE of each UID.
  private var sequences: [UID: Int] = [:]

  /// Creates the availability of somebody who said nothing about it.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is not part of it.
  ///   - viewer: The zone of whoever looks, for floating times.
  ///   - zones: Tells what TZIDs mean.
  ///   - options: What is decided where the RFC leaves something open.
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

  /// What there is to say of what was added: values that cannot be read, zones that nobody knows.
  public var findings: [OccurrenceFinding] { list.findings }

  /// Adds a VAVAILABILITY; anything else is left out.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - timeZones: The VTIMEZONE components of its source.
  ///   - source: A number of the caller's by which findings tell where they are from.
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

  /// When somebody is busy by what was added; none of the periods overlaps another one.
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

  /// From when until when a component says something, as far as it was asked for.
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

  /// When somebody is free by the AVAILABLE components of a component.
  private mutating func available(
    in component: Component, _ timeZones: [Component], _ source: Int
  ) -> InstantRanges {
    var items: [UID: [Component]] = [:]
    var singles: [[Component]] = []
    for available in component.components(named: .available) {
      // It says when as an event does, and nothing that keeps an event from taking place counts here.
      let properties = available.properties.filter { !$0.isNamed(.status) }
      let event = Component(.event, properties: properties)
      if let uid = available.uid {
        items[uid, default: []].append(event)
      } else {
        singles.append([event])
      }
    }
    return InstantRanges(
      merging: occurrences(Array(items.values) + singles, in: range, timeZones, source))
  }

  /// When items take place.
  private mutating func occurrences(
    _ items: [[Component]], in range: Range<Instant>, _ timeZones: [Component], _ source: Int
  ) -> [Range<Instant>] {
    var query = OccurrenceQuery(in: range, viewer: viewer, zones: zones, options: options)
    for item in items { query.add(components: item, timeZones: timeZones, source: source) }
    list.add(query.findings.map(\.diagnostic), source: source)
    var iterator = query.occurrences().makeIterator()
    var found: [Range<Instant>] = []
    // Those that touch become one at once, so that no more is held than is told.
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
