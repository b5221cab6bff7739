// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// The components of an item, divided into the series and its overrides.
///
/// - An override replaces the instance that its RECURRENCE-ID identifies, even if their value types
///   differ: a date identifies the instance on that day; a time in UTC or in another zone the
///   instance at that instant; a floating time the instance with that local time (RFC 5545
///   §3.8.4.4).
/// - Of two overrides for one instance, the one with the higher SEQUENCE applies (RFC 5546 §2.1.5).
///   With the same SEQUENCE both are occurrences; see `RivalRanking`. The order in the file is
///   irrelevant.
/// - An override without an instance in the series is an occurrence, too.
/// - An override applies even if EXDATE excludes its instance; some programs write both.
struct Series {
  /// An override and its instance.
  struct Override {
    let times: ComponentTimes
    let id: RecurrenceID
    /// The original start in seconds, in the form of instance keys.
    let key: Int64
    /// The instance to exclude from the recurrence set.
    let moment: RecurrenceMoment
  }

  let main: ComponentTimes?
  /// The overrides, in the order of their keys.
  private(set) var overrides: [Override] = []
  /// The diagnostics about overrides of the same instance.
  private(set) var diagnostics: [Diagnostic] = []

  /// The index of the main component; nil if no candidate has a start.
  ///
  /// A component with an unreadable RECURRENCE-ID is the last choice.
  static func mainPlace(of parts: [ComponentTimes]) -> Int? {
    let places = parts.indices.filter { parts[$0].recurrenceID == nil && parts[$0].start != nil }
    return places.max { left, right in
      let (left, right) = (parts[left], parts[right])
      return left.component.isOverride == right.component.isOverride
        ? isEarlier(left, right) : left.component.isOverride
    }
  }

  init(
    _ parts: [ComponentTimes], main: ComponentTimes?, clock: SeriesClock?, zones: inout ZoneTable
  ) {
    self.main = main
    var places: [RecurrenceMoment: [Override]] = [:]
    for times in parts {
      guard let id = times.recurrenceID else { continue }
      let own = clock ?? zones.clock(of: id.time)
      let moment = Self.moment(of: id.time, on: own, zones: &zones)
      let override = Override(
        times: times, id: id, key: Self.key(of: moment, on: own), moment: moment)
      places[moment, default: []].append(override)
    }
    for rivals in places.values { decide(between: rivals) }
    diagnostics.sort { $0.position < $1.position }
    overrides.sort { left, right in
      left.key == right.key
        ? Self.isEarlier(left.times, right.times) : left.key < right.key
    }
  }

  /// Takes the overrides of one instance, which identify it by times on different clocks.
  private mutating func decide(between rivals: [Override]) {
    guard rivals.count > 1 else { return overrides += rivals }
    let ranking = RivalRanking(of: rivals.map(\.times.component))
    overrides.append(rivals[ranking.chosen])
    for other in ranking.others {
      let override = rivals[other.place]
      if case .equal = other.verdict { overrides.append(override) }
      diagnostics.append(
        RivalRanking.diagnostic(about: override.times.component, other.verdict, keptAs: nil))
    }
  }

  private static func isEarlier(_ left: ComponentTimes, _ right: ComponentTimes) -> Bool {
    let (leftRevision, rightRevision) = (left.component.revision, right.component.revision)
    guard leftRevision == rightRevision else { return leftRevision < rightRevision }
    let serializer = Serializer()
    return serializer.bytes(of: left.component)
      .lexicographicallyPrecedes(serializer.bytes(of: right.component))
  }

  /// The moment of a single date on the clock of a series.
  static func moment(
    of time: EventTime, on clock: SeriesClock, zones: inout ZoneTable
  ) -> RecurrenceMoment {
    if clock.isDate { return .date(time.date) }
    switch time {
    case .date(let date): return .date(date)
    case .floating(let wall): return .instant(clock.rules.instant(of: wall))
    case .utc(let wall): return .instant(Instant(utc: wall))
    case .zoned(let wall, _):
      let own = zones.clock(of: time)
      // A time in an unknown zone is on the clock of the series.
      return .instant((own.form == .floating ? clock : own).rules.instant(of: wall))
    }
  }

  /// The key that identifies an instance of a series, in seconds.
  static func key(of moment: RecurrenceMoment, on clock: SeriesClock) -> Int64 {
    switch moment {
    case .date(let date) where clock.isDate:
      CivilDateTime(date, .midnight).wallSeconds
    case .date(let date): clock.start(of: date).secondsSinceEpoch
    case .local(let wall): clock.rules.instant(of: wall).secondsSinceEpoch
    case .instant(let instant): instant.secondsSinceEpoch
    }
  }
}

/// A component that describes occurrences, with its clock and duration.
struct SeriesPart: Sendable {
  let component: Component
  let uid: UID
  let kind: ItemKind
  let source: Int
  let clock: SeriesClock
  /// The start of the component.
  let start: OccurrenceTime
  /// The start as in the file, without adjustment for a gap.
  let wallStart: CivilDateTime
  let extent: Extent
  /// Whether the component is cancelled.
  let isCancelled: Bool
  private let place: OccurrenceOptions.ReminderPlace

  init(
    _ times: ComponentTimes, start: EventTime, inherited: Extent?, source: Int,
    place: OccurrenceOptions.ReminderPlace, zones: inout ZoneTable
  ) {
    component = times.component
    uid = times.component.uid ?? UID("")
    kind = times.kind
    self.source = source
    isCancelled = times.isCancelled
    self.place = times.kind == .reminder ? place : .span
    let clock = zones.clock(of: start)
    self.clock = clock
    self.start = clock.time(of: start.wallTime)
    wallStart = start.wallTime
    let endClock = times.end?.time.map { zones.clock(of: $0) }
    extent =
      (times.end == nil ? inherited : nil)
      ?? Extent(
        from: self.start, on: clock, to: times.end, endClock: endClock, kind: times.kind)
  }

  /// The component at a single date of its series, which may have another clock.
  func moved(
    to date: RecurrenceDate, zones: inout ZoneTable
  ) -> SeriesPart {
    let clock = zones.clock(of: date.start)
    let start = clock.time(of: date.start.wallTime)
    var extent = extent
    if case .period(_, let end) = date {
      let endClock = end.time.map { zones.clock(of: $0) }
      extent = Extent(from: start, on: clock, to: end, endClock: endClock, kind: kind)
    } else if case .days(let days) = extent {
      extent = CivilDuration(days: days).map { .nominal($0) } ?? .exact(Int64(days) * 86_400)
    }
    return SeriesPart(self, clock: clock, start: start, extent: extent)
  }

  private init(
    _ other: SeriesPart, clock: SeriesClock, start: OccurrenceTime, extent: Extent
  ) {
    component = other.component
    uid = other.uid
    kind = other.kind
    source = other.source
    isCancelled = other.isCancelled
    place = other.place
    self.clock = clock
    self.start = start
    wallStart = start.time.wallTime
    self.extent = extent
  }

  /// Whether the order of occurrences may differ from that of their starts.
  var isPlacedByEnd: Bool { place == .due }

  /// Creates an occurrence at a start.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - recurrenceID: The original start in the series.
  ///   - extent: The duration, if it differs from that of the component.
  /// - Returns: The occurrence, with the configured placement of reminders.
  func occurrence(
    at start: OccurrenceTime, recurrenceID: OccurrenceTime?, extent: Extent? = nil
  ) -> Occurrence {
    let extent = extent ?? self.extent
    var (start, end) = (start, extent.end(of: start, on: clock))
    switch place {
    case .span: break
    case .due: start = end
    case .start: end = start
    }
    return Occurrence(
      component: component, uid: uid, kind: kind, recurrenceID: recurrenceID, start: start,
      end: end, interval: interval(from: start, to: end, on: extent.endClock ?? clock),
      source: source, clock: clock)
  }

  private func interval(
    from start: OccurrenceTime, to end: OccurrenceTime, on clock: SeriesClock
  ) -> Range<Instant> {
    var upper = end.instant
    // The due day of a reminder is included.
    if end.time.isAllDay, kind == .reminder {
      upper = clock.start(of: end.time.date.adding(days: 1) ?? .last)
    }
    return start.instant..<max(start.instant, upper)
  }
}
