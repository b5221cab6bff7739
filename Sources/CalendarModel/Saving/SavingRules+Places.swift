// SPDX-License-Identifier: Apache-2.0

extension SavingRules {
  /// Returns the reasons why an item cannot be saved in a calendar; empty if it can.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - place: The calendar, or nil if none is selected.
  ///   - origin: The store from which the item was read, or nil if it is new.
  /// - Returns: The errors of the calendar, followed by those of the item.
  public func errors(
    in item: CalendarItem, savedIn place: SavingPlace?, readFrom origin: String? = nil
  ) -> [SaveError] {
    errors(saving: item.kind, in: place, readFrom: origin) + errors(in: item)
  }

  /// Returns the reasons why no item of a kind can be saved in a calendar; empty if it can.
  ///
  /// - Parameters:
  ///   - kind: The kind of the item.
  ///   - place: The calendar, or nil if none is selected.
  ///   - origin: The store from which the item was read, or nil if it is new.
  /// - Returns: The errors of the calendar.
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
