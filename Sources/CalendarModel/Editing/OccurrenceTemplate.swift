// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The occurrences of a series that have no override of their own, as components: each is like the series
/// there, or like the last override before it that describes all later ones, too (RFC 5545 §3.2.13).
///
/// The components of the item are read once, for however many occurrences.
struct OccurrenceTemplate<Content: ItemContent> {
  /// An override that describes all later occurrences.
  private struct Future {
    let component: Component
    let start: CivilDateTime
    /// When the occurrence that it names starts by the rule.
    let id: CivilDateTime
  }

  private var series: SeriesView<Content>
  /// The main component without its recurrence.
  private let main: Component
  private var futures: [Future] = []
  /// The ends of occurrences that were added with an end of their own.
  private var endings: [CivilDateTime: EventEnd] = [:]

  init(of main: Component, among components: [Component], _ series: SeriesView<Content>) {
    var series = series
    self.main = main.withoutRecurrence
    for component in components where component.isForFuture {
      let content = Content(component)
      guard let time = content.recurrenceID?.time, let start = content.start else { continue }
      futures.append(
        Future(
          component: component.withoutRecurrence, start: start.wallTime, id: series.wall(of: time)))
    }
    for date in series.content.recurrence.dates {
      guard case .period(let start, let end) = date else { continue }
      endings[series.wall(of: start)] = end
    }
    self.series = series
  }

  /// The occurrence that starts at a time on the clock of the series.
  mutating func component(at wall: CivilDateTime) -> Component {
    var (component, start) = source(at: wall)
    var content = Content(component)
    content.recurrence = RecurrenceProperties()
    content.recurrenceID = RecurrenceID(series.time(wall))
    let old = content.start ?? series.start
    let new = old.at(start)
    content.ending = series.end(content.ending, from: old, to: new)
    content.start = new
    if let end = endings[wall] { content.ending = end }
    content.write(to: &component)
    return component
  }

  /// The component that describes an occurrence, and when that starts on the component's clock.
  private func source(at wall: CivilDateTime) -> (component: Component, start: CivilDateTime) {
    var found: Future?
    for future in futures where future.id <= wall {
      if found.map({ $0.id < future.id }) ?? true { found = future }
    }
    guard let found else { return (main, wall) }
    let shift = wall.wallSeconds - found.id.wallSeconds
    return (found.component, found.start.adding(seconds: shift) ?? found.start)
  }
}

extension Component {
  /// Whether the component is an override for all later occurrences, too (RFC 5545 §3.2.13).
  var isForFuture: Bool {
    self[.recurrenceID]?[.range]?.asciiUppercased == "THISANDFUTURE"
  }

  /// The component without the properties by which it recurs.
  var withoutRecurrence: Component {
    let names: [PropertyName] = [.rRule, .exRule, .rDate, .exDate]
    guard properties.contains(where: { names.contains(where: $0.isNamed) }) else { return self }
    var component = self
    component.properties = PropertyList(
      properties.filter { !names.contains(where: $0.isNamed) })
    return component
  }
}
