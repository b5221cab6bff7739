// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// Changes the main component; a new start also shifts the recurrence and the overrides.
  func changeAll<Content: ItemContent>(
    of item: CalendarItem, _ change: (inout Content) -> Void
  ) throws(EditError) -> CalendarItem {
    guard let main = item.main else {
      throw EditError(.noSeries, "expected the main component of the item, found only overrides")
    }
    let before = Content(main)
    var content = before
    change(&content)
    guard content != before else { return item }
    var shift: SeriesShift<Content>?
    if let start = content.start, let old = before.start, start != old {
      let series = try SeriesView<Content>(main, of: item, zones)
      shift = SeriesShift(series, from: old, to: start)
      shift?.move(&content.recurrence, since: before.recurrence)
    }
    let isSingle = before.recurrence.isRecurring && !content.recurrence.isRecurring
    if isSingle { content.recurrence = RecurrenceProperties() }
    var components: [Component] = []
    for component in item.components {
      if component.isOverride {
        // A component that no longer recurs has one occurrence and therefore no overrides.
        if !isSingle { components.append(moved(component, &shift)) }
      } else if component == main {
        components.append(written(content, to: main))
      } else {
        components.append(component)
      }
    }
    return try remade(item, components)
  }

  /// Returns an override after the shift of its series.
  func moved<Content: ItemContent>(
    _ override: Component, _ shift: inout SeriesShift<Content>?
  ) -> Component {
    guard shift != nil else { return override }
    var content = Content(override)
    shift?.move(&content)
    return written(content, to: override)
  }

  /// Returns a component with a content, stamped if it differs.
  func written<Content: ItemContent>(_ content: Content, to before: Component) -> Component {
    var component = before
    content.write(to: &component)
    stamp(&component, since: before)
    return component
  }
}
