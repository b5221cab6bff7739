// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// The overrides and exclusions of a series whose occurrences an edit removes.
///
/// A RECURRENCE-ID names an occurrence of the series (RFC 5545 §3.8.4.4), so that an override beyond
/// the new end would be shown as an occurrence that the series does not have. An override or an
/// exclusion that named no occurrence before the edit is kept.
struct LostOccurrences<Content: ItemContent> {
  /// A series with its instances, including the excluded ones.
  private struct Side {
    private var series: SeriesView<Content>
    private let instances: RecurrenceInstances

    /// Reads a main component; nil if its rules cannot be expanded.
    init?(_ main: Component, _ item: CalendarItem, _ editor: ItemEditor) {
      guard
        var series = try? SeriesView<Content>(main, of: item, editor.zones, editor.recurrence),
        let instances = try? series.instancesBeforeExclusion()
      else { return nil }
      (self.series, self.instances) = (series, instances)
    }

    /// Whether the series has an instance at a time, or on a day; nil if that is unknown.
    mutating func hasInstance(at time: EventTime) -> Bool? {
      let isDay = time.isAllDay && !series.start.isAllDay
      let wall = isDay ? CivilDateTime(time.date, .midnight) : series.wall(of: time)
      var iterator = instances.starting(at: wall).makeIterator()
      guard let next = iterator.next() else { return iterator.isTruncated ? nil : false }
      return isDay ? next.local.date == time.date : series.shown(next.local) == wall
    }
  }

  private var before: Side?
  private var after: Side?
  /// Whether the item no longer recurs, so that it has no occurrences that could be named.
  private let isSingle: Bool

  /// Compares the series of two main components of an item.
  init(
    from old: Component, to new: Component, of item: CalendarItem, isSingle: Bool = false,
    _ editor: ItemEditor
  ) {
    self.isSingle = isSingle
    let (first, then) = (Content(old), Content(new))
    guard !isSingle, first.recurrence != then.recurrence || first.start != then.start else {
      return
    }
    before = Side(old, item, editor)
    after = Side(new, item, editor)
  }

  /// Whether the edit removes the occurrence of an override.
  ///
  /// - Parameters:
  ///   - override: The override before the edit.
  ///   - changed: The override after the edit, with the shifted RECURRENCE-ID.
  /// - Returns: Whether the override is to be removed.
  mutating func includes(_ override: Component, now changed: Component) -> Bool {
    guard let old = Content(override).recurrenceID?.time,
      let new = Content(changed).recurrenceID?.time
    else { return isSingle }
    return isLost(old, now: new)
  }

  /// Removes the exclusions of occurrences that the edit removes.
  ///
  /// - Parameters:
  ///   - excluded: The exclusions after the edit.
  ///   - old: The same exclusions before the edit; with another number, the edit changed them itself.
  /// - Returns: The effects on the occurrences.
  mutating func removeExclusions(
    from excluded: inout [EventTime], before old: [EventTime]
  ) -> [EditEffect] {
    var lost: [EventTime] = []
    if isSingle {
      lost = old
    } else if excluded.count == old.count {
      var kept: [EventTime] = []
      for (time, now) in zip(old, excluded) {
        if isLost(time, now: now) { lost.append(time) } else { kept.append(now) }
      }
      excluded = kept
    }
    return lost.map { .occurrence(.exclusionRemoved, $0) }
  }

  private mutating func isLost(_ old: EventTime, now new: EventTime) -> Bool {
    guard !isSingle else { return true }
    return after?.hasInstance(at: new) == false && before?.hasInstance(at: old) == true
  }
}
