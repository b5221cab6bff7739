// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// The occurrences of a series, to be asked for many of them.
protocol OccurrenceSource: Sendable {
  /// Whether the series recurs.
  var isRecurring: Bool { get }
  /// The first occurrence, by the start of the main component.
  mutating func isStart(_ key: OccurrenceKey) -> Bool
  /// Whether the series has an occurrence, that no EXDATE takes out.
  mutating func hasOccurrence(_ key: OccurrenceKey) -> Bool
  /// Whether an EXDATE takes the occurrence out of the series.
  mutating func isExcluded(_ key: OccurrenceKey) -> Bool
  /// The occurrence as a component of its own, as long as it has no override.
  mutating func template(of key: OccurrenceKey) -> Component?
  /// The time of an occurrence in the form of the start of the series.
  mutating func time(of key: OccurrenceKey) -> EventTime?
}

/// The occurrences of a series with this content.
struct SeriesOccurrences<Content: ItemContent>: OccurrenceSource {
  private var series: SeriesView<Content>
  private var template: OccurrenceTemplate<Content>
  private let instances: RecurrenceInstances?
  private var excluded: Set<CivilDateTime> = []
  private var excludedDays: Set<CivilDate> = []

  init?(_ main: Component, among components: [Component], _ zones: CanonicalZones) {
    guard var series = try? SeriesView<Content>(main, zones: zones) else { return nil }
    instances = try? series.instances()
    template = OccurrenceTemplate(of: main, among: components, series)
    for time in series.content.recurrence.excludedDates {
      if case .date(let date) = time { excludedDays.insert(date) }
      excluded.insert(series.wall(of: time))
    }
    self.series = series
  }

  var isRecurring: Bool { series.content.recurrence.isRecurring }

  mutating func isStart(_ key: OccurrenceKey) -> Bool {
    wall(of: key).map { $0 == series.wall(of: series.start) } ?? false
  }

  mutating func hasOccurrence(_ key: OccurrenceKey) -> Bool {
    guard let wall = wall(of: key), let instances else { return false }
    var iterator = instances.starting(at: wall).makeIterator()
    return iterator.next()?.local == wall
  }

  mutating func isExcluded(_ key: OccurrenceKey) -> Bool {
    guard let wall = wall(of: key) else { return false }
    return excluded.contains(wall) || excludedDays.contains(wall.date)
  }

  mutating func template(of key: OccurrenceKey) -> Component? {
    wall(of: key).map { template.component(at: $0) }
  }

  mutating func time(of key: OccurrenceKey) -> EventTime? {
    wall(of: key).map { series.time($0) }
  }

  private mutating func wall(of key: OccurrenceKey) -> CivilDateTime? {
    switch key {
    case .series, .unreadable: nil
    case .date(let date): series.wall(of: .date(date))
    case .instant(let instant): instant.civil().map { series.wall(of: .utc($0)) }
    case .local(let wall, _): series.wall(of: .floating(wall))
    }
  }
}
