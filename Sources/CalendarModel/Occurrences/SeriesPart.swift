// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

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

  /// The component at a single date of its series, which may have another clock.
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
    // The due day of a reminder is included.
    if end.time.isAllDay, kind == .reminder {
      upper = clock.start(of: end.time.date.adding(days: 1) ?? .last)
    }
    return start.instant..<max(start.instant, upper)
  }
}
