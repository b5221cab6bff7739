// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// What an occurrence is that has no override of its own: as its series is, or as the last override
  /// before it says that is for all later ones, too (RFC 5545 §3.2.13).
  func template<Content: ItemContent>(
    at wall: CivilDateTime, in components: [Component], _ main: Component,
    _ series: inout SeriesView<Content>
  ) -> Component {
    let source = source(at: wall, in: components, main, &series)
    var component = source.component
    for name in [PropertyName.rRule, .exRule, .rDate, .exDate] where component[name] != nil {
      component[name] = nil
    }
    var content = Content(component)
    content.recurrence = RecurrenceProperties()
    content.recurrenceID = RecurrenceID(series.time(wall))
    let old = content.start ?? series.start
    let new = old.at(source.start)
    content.ending = series.end(content.ending, from: old, to: new)
    content.start = new
    for date in series.content.recurrence.dates {
      // An occurrence that was added with an end of its own has that.
      guard case .period(let start, let end) = date, series.wall(of: start) == wall else {
        continue
      }
      content.ending = end
    }
    content.write(to: &component)
    return component
  }

  /// The component that describes an occurrence, and when that starts on the component's clock.
  private func source<Content: ItemContent>(
    at wall: CivilDateTime, in components: [Component], _ main: Component,
    _ series: inout SeriesView<Content>
  ) -> (component: Component, start: CivilDateTime) {
    var found: (component: Component, start: CivilDateTime, id: CivilDateTime)?
    for component in components where component.isOverride && isForFuture(component) {
      let content = Content(component)
      guard let time = content.recurrenceID?.time, let start = content.start else { continue }
      let id = series.wall(of: time)
      guard id <= wall, found.map({ $0.id < id }) ?? true else { continue }
      let shift = wall.wallSeconds - id.wallSeconds
      found = (component, start.wallTime.adding(seconds: shift) ?? start.wallTime, id)
    }
    return found.map { ($0.component, $0.start) } ?? (main, wall)
  }
}
