// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The changes of overrides that follow an edit of their series.
struct OverrideFollower<Content: ItemContent> {
  private var shift: SeriesShift<Content>?
  private var length: NewLength<Content>?
  private let values: SeriesValues
  /// Whether the last override keeps a value of its own.
  private var isOwn = false
  /// Whether the last override has a start of its own and gets another length, time zone or alarms.
  private var isMovedAndFollows = false
  /// Whether the last override moves with the series and had a length of its own.
  private var isShifted = false
  /// The original starts, before the edit, of the noted overrides that keep a value of their own.
  private(set) var kept: [EventTime] = []
  /// The original starts, before the edit, of the noted overrides with a start of their own that get
  /// the new length, time zone or alarms of the series.
  private(set) var followed: [EventTime] = []
  /// The original starts, before the edit, of the noted overrides that move with the series and had a
  /// length of their own.
  private(set) var shifted: [EventTime] = []
  /// The original start, before the edit, of the noted override of the first occurrence, if it keeps other
  /// values beside the change.
  private(set) var revised: [EventTime] = []

  /// Creates the changes.
  ///
  /// - Parameters:
  ///   - shift: The shift to a new start; nil if the start stays.
  ///   - length: The new length; nil if the start changes, or the end does not.
  ///   - values: The other values.
  init(shift: SeriesShift<Content>?, length: NewLength<Content>?, values: SeriesValues) {
    (self.shift, self.length, self.values) = (shift, length, values)
  }

  /// Returns an override after the edit of its series.
  mutating func followed(_ override: Component, _ editor: ItemEditor) -> Component {
    (isOwn, isShifted) = (false, false)
    var content = Content(override)
    let isMoved = content.start != content.recurrenceID?.time
    if let ownsLength = length?.apply(to: &content) {
      isOwn = ownsLength
    } else if shift != nil {
      let start = content.start
      isShifted = shift?.move(&content) ?? false
      isOwn = content.start == start
    }
    let areOwn = isOwn
    var hasOwnValues = false
    let values = values
    let changed = editor.written(content, to: override) { component in
      hasOwnValues = values.apply(to: &component)
    }
    isOwn = areOwn || hasOwnValues
    let (before, after) = (Content(override), Content(changed))
    let changesTimes =
      before.start != after.start || before.ending != after.ending
      || override.components != changed.components
    isMovedAndFollows = isMoved && !isOwn && changesTimes
    return changed
  }

  /// Notes the original start of the last override, if it keeps a value of its own, or if its
  /// start is its own and another time follows the series.
  ///
  /// - Parameters:
  ///   - override: The override before the edit.
  ///   - first: For the override of the first occurrence, which gets the change itself: the override
  ///     and the main component after the edit, which starts with that occurrence. It is noted if it
  ///     keeps values of its own beside the change.
  mutating func note(_ override: Component, first: (changed: Component, main: Component)?) {
    guard let time = Content(override).recurrenceID?.time else { return }
    if let (changed, main) = first {
      let isSame =
        changed.ownValues == main.ownValues && changed.components == main.components
      if !isSame { revised.append(time) }
    } else if isOwn {
      kept.append(time)
    } else if isMovedAndFollows {
      followed.append(time)
    } else if isShifted {
      shifted.append(time)
    }
  }
}

extension Component {
  /// The properties that one occurrence may have otherwise than its series.
  fileprivate var ownValues: Set<Property> {
    let common: Set<PropertyName> = [
      .uid, .dtStamp, .created, .lastModified, .sequence, .recurrenceID, .rRule, .exRule, .rDate,
      .exDate, .relatedTo,
    ]
    return Set(properties.lazy.filter { !common.contains($0.name) })
  }
}

/// A new length of a series whose start stays.
struct NewLength<Content: ItemContent> {
  private var series: SeriesView<Content>
  private let start: EventTime
  private let before: EventEnd?
  private let after: EventEnd?

  /// Creates the change of a main component; nil if the start changes, or the end does not.
  init?(
    from before: Content, to content: Content, _ main: Component, _ item: CalendarItem,
    _ editor: ItemEditor
  ) throws(EditError) {
    guard let start = content.start, start == before.start, content.ending != before.ending else {
      return nil
    }
    series = try SeriesView(main, of: item, editor.zones, editor.recurrence)
    (self.start, self.before, after) = (start, before.ending, content.ending)
  }

  /// Gives an override the new length, if it had that of the series.
  ///
  /// - Parameter override: The override.
  /// - Returns: Whether the override keeps a length of its own.
  mutating func apply(to override: inout Content) -> Bool {
    guard let first = override.start, first.isAllDay == start.isAllDay else { return true }
    let ending = series.end(after, from: start, to: first)
    guard override.ending == series.end(before, from: start, to: first) else {
      return override.ending != ending
    }
    override.ending = ending
    return false
  }
}
