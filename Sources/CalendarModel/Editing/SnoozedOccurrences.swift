// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension EditedItem {
  /// The same result with each snooze alarm beside the alarm of its occurrence.
  ///
  /// Reading an occurrence is an edit without a change, and looks for no snooze alarms.
  func movingSnoozes(
    of item: CalendarItem, _ editor: ItemEditor
  ) throws(EditError) -> EditedItem {
    guard self.item != item else { return self }
    return try SnoozedOccurrences(of: item, editor).followed(self)
  }
}

/// The occurrences whose alarms were snoozed, which an edit may move or remove.
///
/// A snooze alarm has an absolute trigger (RFC 9074 §7), so that nothing but the acknowledgement of
/// its original alarm says which occurrence of a series it belongs to.
struct SnoozedOccurrences {
  /// A snooze alarm and its occurrence before the edit.
  private struct Snoozed {
    let snooze: Component
    let alarm: UID
    let start: Instant
  }

  private let editor: ItemEditor
  private var snoozed: [Snoozed] = []

  /// Finds the occurrences of an item before an edit.
  init(of item: CalendarItem, _ editor: ItemEditor) {
    self.editor = editor
    for component in item.components {
      let alarms = component.components(named: .alarm)
      for snooze in alarms {
        guard let uid = Alarm(snooze).snoozedAlarm,
          let original = alarms.lazy.map({ Alarm($0) }).first(where: { $0.uid == uid }),
          case .relative? = original.trigger, let acknowledged = original.acknowledged,
          let start = start(of: uid, in: component, of: item, until: acknowledged)
        else { continue }
        snoozed.append(Snoozed(snooze: snooze, alarm: uid, start: start))
      }
    }
  }

  /// Returns the result of an edit with each snooze alarm beside the alarm of its occurrence.
  ///
  /// A snooze alarm is removed if no occurrence has the earlier start: the alarm of a moved
  /// occurrence is triggered again, and a deleted one has none.
  func followed(_ edited: EditedItem) throws(EditError) -> EditedItem {
    guard !snoozed.isEmpty, var item = edited.item else { return edited }
    var successor = edited.successor
    for snoozed in snoozed {
      var (components, later) = (item.components, successor?.components ?? [])
      let place = place(of: snoozed, in: item)
      let laterPlace = place == nil ? successor.flatMap { self.place(of: snoozed, in: $0) } : nil
      Self.put(snoozed.snooze, at: place, in: &components)
      Self.put(snoozed.snooze, at: laterPlace, in: &later)
      if components != item.components { item = try editor.remade(item, components) }
      if let rest = successor, later != rest.components {
        successor = try editor.remade(rest, later)
      }
    }
    return edited.replacing(item, successor: successor)
  }

  /// Removes a snooze alarm from all components but one, which gets it.
  private static func put(_ snooze: Component, at place: Int?, in components: inout [Component]) {
    for index in components.indices {
      let has = components[index].components.contains(snooze)
      if index == place {
        if !has { components[index].components.append(snooze) }
      } else if has {
        components[index].components = ComponentList(
          components[index].components.filter { $0 != snooze })
      }
    }
  }

  /// The index of the component that has the occurrence and its alarm.
  private func place(of snoozed: Snoozed, in item: CalendarItem) -> Int? {
    guard let end = snoozed.start.adding(seconds: 1) else { return nil }
    var options = OccurrenceOptions()
    options.recurrence = editor.recurrence
    var query = OccurrenceQuery(
      in: snoozed.start..<end, viewer: editor.viewer, zones: editor.zones, options: options)
    query.add(item)
    for occurrence in query.occurrences() where occurrence.start.instant == snoozed.start {
      let component = occurrence.component
      guard component.components(named: .alarm).contains(where: { Alarm($0).uid == snoozed.alarm })
      else { continue }
      return item.components.firstIndex(of: component)
    }
    return nil
  }

  /// The start of the occurrence whose alarm was the last one until an acknowledgement.
  private func start(
    of alarm: UID, in component: Component, of item: CalendarItem, until acknowledged: Instant
  ) -> Instant? {
    guard let from = acknowledged.adding(seconds: -Self.reach),
      let end = acknowledged.adding(seconds: 1)
    else { return nil }
    var options = OccurrenceOptions()
    options.recurrence = editor.recurrence
    var query = AlarmQuery(
      in: from..<end, viewer: editor.viewer, zones: editor.zones, options: options)
    query.add(
      components: item.components.map { $0 == component ? $0.withoutAcknowledgements : $0 },
      timeZones: item.timeZones)
    return query.alarms.last { found in
      found.alarm.uid == alarm
        && found.occurrence.component == component.withoutAcknowledgements
    }?.occurrence.start.instant
  }

  /// The longest time from an alarm to its acknowledgement, in seconds.
  private static let reach: Int64 = 31 * 86_400
}

extension Component {
  /// The component with alarms that were never acknowledged.
  fileprivate var withoutAcknowledgements: Component {
    var component = self
    component.components = ComponentList(
      components.map { part in
        guard part.name == .alarm else { return part }
        var alarm = part
        alarm[.acknowledged] = nil
        return alarm
      })
    return component
  }
}
