// SPDX-License-Identifier: Apache-2.0

/// The values that an object shows, with its parts.
package struct ItemValues {
  package var fields: ItemFields
  var parts: ItemParts
}

/// An object with saved changes that are not committed, and its state before them.
package struct PendingItem {
  let object: EKCalendarItem
  private let before: ItemState
  /// The values of the object when it was saved last.
  private var saved: ItemValues
  /// The values that the object shows since it was saved, such as those of the next occurrence.
  var shown: ItemFields

  /// Takes an object before its first change.
  init(_ object: EKCalendarItem, _ values: ItemValues) {
    (self.object, before) = (object, object.state)
    (saved, shown) = (values, values.fields)
  }

  /// The values that the program set: those of the last save, and later changes.
  ///
  /// Without the save, the object does not show its effects: the next occurrence of a reminder,
  /// no rules for a detached occurrence, and the changes of other programs.
  ///
  /// - Parameter current: The current values of the object.
  /// - Returns: The values.
  private func own(_ current: ItemValues) -> ItemValues {
    var own = current
    if own.fields.alarms == shown.alarms { own.parts.alarms = saved.parts.alarms }
    if own.fields.rules == shown.rules { own.parts.rules = saved.parts.rules }
    if own.fields.location == shown.location { own.parts.location = saved.parts.location }
    own.fields.merge(saved.fields, changedSince: shown)
    own.fields.take(own.parts)
    return own
  }

  /// Keeps the values of the object before it shows others.
  mutating func keep(_ current: ItemValues) { saved = own(current) }

  /// Returns the object to its state before the changes; its own values stay, as changes.
  package func restore() {
    let own = own(object.values)
    let place = object.place
    object.state = before
    object.show(own.fields, own.parts, in: place)
  }
}

/// A calendar with saved changes that are not committed, and its state before them.
package struct PendingCalendar {
  let object: EKCalendar
  let before: CalendarState

  /// Returns the object to its state before the changes; its own values stay, as changes.
  package func restore() { object.restore(before) }
}
