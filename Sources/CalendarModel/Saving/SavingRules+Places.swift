// SPDX-License-Identifier: Apache-2.0

extension SavingRules {
  /// What keeps an item from being saved in a calendar; empty if nothing does.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - place: The calendar, or nil if none was chosen.
  ///   - origin: The store that the item was read from, or nil if it is new.
  /// - Returns: The faults of the place, then those of the item.
  public func errors(
    in item: CalendarItem, savedIn place: SavingPlace?, readFrom origin: String? = nil
  ) -> [SaveError] {
    errors(saving: item.kind, in: place, readFrom: origin) + errors(in: item)
  }

  /// What keeps any item of a kind from being saved in a calendar; empty if nothing does.
  ///
  /// - Parameters:
  ///   - kind: The kind of the item.
  ///   - place: The calendar, or nil if none was chosen.
  ///   - origin: The store that the item was read from, or nil if it is new.
  /// - Returns: The faults of the place.
  public func errors(
    saving kind: ItemKind, in place: SavingPlace?, readFrom origin: String? = nil
  ) -> [SaveError] {
    guard let place else {
      return [SaveError(.noCalendar, "expected a calendar to save the item in, found none")]
    }
    var errors: [SaveError] = []
    if let origin, origin != place.store {
      errors.append(
        SaveError(
          .objectBelongsToDifferentStore,
          "expected an item of the store '\(place.store)', found one of '\(origin)'"))
    }
    if place.isReadOnly {
      errors.append(
        SaveError(.calendarReadOnly, "expected a calendar that can be changed, found one to read"))
    }
    if !place.kinds.contains(kind) {
      let isReminder = kind == .reminder
      errors.append(
        SaveError(
          isReminder ? .calendarDoesNotAllowReminders : .calendarDoesNotAllowEvents,
          "expected a calendar that holds \(isReminder ? "reminders" : "events"), "
            + "found one that does not"))
    }
    return errors
  }
}
