// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The changes of overrides that follow an edit of their series, and the effects on them.
struct OverrideFollower<Content: ItemContent> {
  private var shift: SeriesShift<Content>?
  private var length: NewLength<Content>?
  private let values: SeriesValues
  private var lost: LostOccurrences<Content>
  /// The effects on the overrides, in their order.
  private(set) var effects: [EditEffect] = []

  /// Creates the changes.
  ///
  /// - Parameters:
  ///   - shift: The shift to a new start; nil if the start stays.
  ///   - length: The new length; nil if the start changes, or the end does not.
  ///   - values: The other values.
  ///   - lost: The occurrences that the edit removes.
  init(
    shift: SeriesShift<Content>?, length: NewLength<Content>?, values: SeriesValues,
    lost: LostOccurrences<Content>
  ) {
    (self.shift, self.length, self.values, self.lost) = (shift, length, values, lost)
  }

  /// Returns an override after the edit of its series; nil if the series no longer has its occurrence.
  mutating func followed(_ override: Component, _ editor: ItemEditor) -> Component? {
    var content = Content(override)
    var effect = followTimes(&content)
    var hasOwnValues = false
    let values = values
    let changed = editor.written(content, to: override) { component in
      hasOwnValues = values.apply(to: &component)
    }
    if effect == .kept || hasOwnValues {
      effect = .kept
    } else if isMoved(override), changesTimes(of: override, to: changed) {
      effect = .followed
    }
    return settled(changed, since: override, effect)
  }

  /// Returns the override of the occurrence with which the edited part begins.
  ///
  /// - Parameters:
  ///   - override: The override.
  ///   - changed: The override after the change, which is made to it, too.
  ///   - main: The main component after the edit.
  /// - Returns: The changed override; nil if the series no longer has its occurrence.
  mutating func revised(
    _ override: Component, to changed: Component, with main: Component
  ) -> Component? {
    let isSame = changed.ownValues == main.ownValues && changed.components == main.components
    return settled(changed, since: override, isSame ? nil : .revised)
  }

  /// Gives an override the new start or length of its series, if it had the earlier one.
  private mutating func followTimes(_ override: inout Content) -> OccurrenceEffect? {
    if let ownsLength = length?.apply(to: &override) { return ownsLength ? .kept : nil }
    guard shift != nil else { return nil }
    let start = override.start
    let effect = shift?.move(&override)
    return override.start == start ? .kept : effect
  }

  private func isMoved(_ override: Component) -> Bool {
    Content(override).start != Content(override).recurrenceID?.time
  }

  /// Whether an override gets another start, another end or other alarms.
  private func changesTimes(of override: Component, to changed: Component) -> Bool {
    let (before, after) = (Content(override), Content(changed))
    return before.start != after.start || before.ending != after.ending
      || override.components != changed.components
  }

  /// Adds the effect on an override; returns nil if the series no longer has its occurrence.
  private mutating func settled(
    _ changed: Component, since override: Component, _ effect: OccurrenceEffect?
  ) -> Component? {
    let isLost = lost.includes(override, now: changed)
    if let effect = isLost ? .overrideRemoved : effect,
      let start = Content(override).recurrenceID?.time
    {
      effects.append(.occurrence(effect, start))
    }
    return isLost ? nil : changed
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
