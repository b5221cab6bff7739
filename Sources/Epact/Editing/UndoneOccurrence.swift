// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

extension UndoOutcome.Item {
  /// The original start of the only occurrence that an undo changed; nil if the series itself or
  /// several of its occurrences changed.
  var occurrence: EventTime? {
    guard let before, let after, let old = before.main, let new = after.main,
      Self.series(old) == Self.series(new)
    else { return nil }
    var changed = Self.exclusions(of: old).symmetricDifference(Self.exclusions(of: new))
    let (earlier, later) = (Self.overrides(of: before), Self.overrides(of: after))
    for (start, override) in earlier where later[start] != override { changed.insert(start) }
    for start in later.keys where earlier[start] == nil { changed.insert(start) }
    return changed.count == 1 ? changed.first : nil
  }

  /// A component without its exclusions, and without the properties that describe its writing.
  private static func series(_ component: Component) -> Component {
    var plain = component
    for name in [PropertyName.exDate, .dtStamp, .lastModified, .sequence, "X-EPACT-ANSWERS"] {
      plain[name] = nil
    }
    return plain
  }

  private static func exclusions(of main: Component) -> Set<EventTime> {
    Set(Event(main).recurrence.excludedDates)
  }

  /// The overrides of an item by their original start.
  private static func overrides(of item: CalendarItem) -> [EventTime: Component] {
    var overrides: [EventTime: Component] = [:]
    for component in item.overrides {
      guard let start = Event(component).recurrenceID?.time else { continue }
      overrides[start] = series(component)
    }
    return overrides
  }
}
