// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

extension ItemEditor {
  /// Acknowledges an alarm that was triggered (RFC 9074 §6).
  ///
  /// The alarm gets the time of the editor as ACKNOWLEDGED, and its snooze alarms are removed. If
  /// it is a snooze alarm itself, the original alarm is acknowledged.
  ///
  /// - Parameters:
  ///   - alarm: The alarm, as an ``AlarmQuery`` over the item returned it.
  ///   - item: The item.
  /// - Returns: The changed item.
  /// - Throws: `EditError` if the item does not have the alarm.
  public func acknowledge(
    _ alarm: AlarmOccurrence, in item: CalendarItem
  ) throws(EditError) -> CalendarItem {
    try settle(alarm, in: item, snoozingUntil: nil)
  }

  /// Acknowledges an alarm that was triggered, and adds a snooze alarm (RFC 9074 §7).
  ///
  /// The snooze alarm has an absolute trigger and the relation `RELTYPE=SNOOZE` to the original
  /// alarm, which gets a UID if it has none. It replaces an earlier snooze alarm.
  ///
  /// - Parameters:
  ///   - alarm: The alarm, as an ``AlarmQuery`` over the item returned it.
  ///   - item: The item.
  ///   - instant: The time of the snooze alarm.
  /// - Returns: The changed item.
  /// - Throws: `EditError` if the item does not have the alarm.
  public func snooze(
    _ alarm: AlarmOccurrence, in item: CalendarItem, until instant: Instant
  ) throws(EditError) -> CalendarItem {
    try settle(alarm, in: item, snoozingUntil: instant)
  }

  private func settle(
    _ alarm: AlarmOccurrence, in item: CalendarItem, snoozingUntil instant: Instant?
  ) throws(EditError) -> CalendarItem {
    var components = item.components
    let before = alarm.occurrence.component
    guard let place = components.firstIndex(of: before),
      let found = AlarmReach.place(of: alarm.index, in: before)
    else {
      throw EditError(.noOccurrence, "expected an alarm at \(alarm.instant), found none")
    }
    var component = before
    var parts = Array(component.components)
    let original = Self.original(of: found, in: parts)
    var content = Alarm(parts[original])
    if instant != nil || content.uid != nil { content.uid = content.uid ?? makeUID() }
    content.acknowledged = now
    content.write(to: &parts[original])
    let snoozed = instant.flatMap { content.snoozed(until: $0, as: makeUID()) }
    if let uid = content.uid {
      parts.removeAll { $0.name == .alarm && Alarm($0).snoozedAlarm == uid }
    }
    if let snoozed {
      // Properties that the model does not have are those of the original alarm.
      var new =
        parts.first { $0.name == .alarm && Alarm($0).uid == content.uid } ?? snoozed.component
      snoozed.write(to: &new)
      parts.append(new)
    }
    component.components = ComponentList(parts)
    stamp(&component, since: before)
    components[place] = component
    return try remade(item, components)
  }

  /// The index of the alarm that a snooze alarm refers to; that of the alarm itself otherwise.
  private static func original(of place: Int, in parts: [Component]) -> Int {
    guard let target = Alarm(parts[place]).snoozedAlarm else { return place }
    return parts.firstIndex { $0.name == .alarm && Alarm($0).uid == target } ?? place
  }
}

extension AlarmReach {
  /// The index, among the parts of a component, of the alarm with an index among its timed alarms.
  fileprivate static func place(of index: Int, in component: Component) -> Int? {
    let timed = component.components.indices.filter { place in
      let part = component.components[place]
      return part.name == .alarm && isTimed(part)
    }
    guard alarms(of: component).indices.contains(index), timed.indices.contains(index) else {
      return nil
    }
    return timed[index]
  }
}
