// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// A component that describes occurrences, with its clock and its length.
struct SeriesPart: Sendable {
  let component: Component
  let uid: UID
  let kind: ItemKind
  let source: Int
  let clock: SeriesClock
  /// When it starts itself.
  let start: OccurrenceTime
  /// The same as it stands in the file: a time that the clock skips stays what it is.
  let wallStart: CivilDateTime
  let extent: Extent
  /// Whether it does not take place any more.
  let isCancelled: Bool
  private let place: OccurrenceOptions.ReminderPlace

  init(
    _ times: ComponentTimes, start: EventTime, inherited: Extent?, source: Int,
    place: OccurrenceOptions.ReminderPlace, zones: inout ZoneTable, definitions: [Component]
  ) {
    component = times.component
    uid = times.component.uid ?? UID("")
    kind = times.kind
    self.source = source
    isCancelled = times.isCancelled
    self.place = times.kind == .reminder ? place : .span
    let clock = zones.clock(of: start, definitions: definitions)
    self.clock = clock
    self.start = clock.time(of: start.wallTime)
    wallStart = start.wallTime
    let endClock = times.end?.time.map { zones.clock(of: $0, definitions: definitions) }
    extent =
      (times.end == nil ? inherited : nil)
      ?? Extent(
        from: self.start, on: clock, to: times.end, endClock: endClock, kind: times.kind)
  }

  /// The same component at a single date of its series, which has a clock of its own.
  func moved(
    to date: RecurrenceDate, zones: inout ZoneTable, definitions: [Component]
  ) -> SeriesPart {
    let clock = zones.clock(of: date.start, definitions: definitions)
    let start = clock.time(of: date.start.wallTime)
    var extent = extent
    if case .period(_, let end) = date {
      let endClock = end.time.map { zones.clock(of: $0, definitions: definitions) }
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

  /// Whether occurrences may come in another order than their starts.
  var isPlacedByEnd: Bool { place == .due }

  /// An occurrence that starts at a time.
  ///
  /// - Parameters:
  ///   - start: When it starts.
  ///   - recurrenceID: When it would have started by its series.
  ///   - extent: How long it lasts, if not as long as all others.
  /// - Returns: The occurrence, where reminders stand.
  func occurrence(
    at start: OccurrenceTime, recurrenceID: OccurrenceTime?, extent: Extent? = nil
  ) -> Occurrence {
    var (start, end) = (start, (extent ?? self.extent).end(of: start, on: clock))
    switch place {
    case .span: break
    case .due: start = end
    case .start: end = start
    }
    return Occurrence(
      component: component, uid: uid, kind: kind, recurrenceID: recurrenceID, start: start,
      end: end, interval: interval(from: start, to: end), source: source, clock: clock)
  }

  private func interval(from start: OccurrenceTime, to end: OccurrenceTime) -> Range<Instant> {
    var upper = end.instant
    // The day on which a reminder is due is part of it.
    if end.time.isAllDay, kind == .reminder {
      upper = clock.start(of: end.time.date.adding(days: 1) ?? .last)
    }
    return start.instant..<max(start.instant, upper)
  }
}
