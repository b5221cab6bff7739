// SPDX-License-Identifier: Apache-2.0

// The kinds as constants of the error itself, for `catch EKError.noCalendar`.
extension EKError {
  /// The event cannot be changed.
  public static var eventNotMutable: Code { .eventNotMutable }
  /// The item has no calendar.
  public static var noCalendar: Code { .noCalendar }
  /// The event has no start.
  public static var noStartDate: Code { .noStartDate }
  /// The event has no end.
  public static var noEndDate: Code { .noEndDate }
  /// The end is before the start.
  public static var datesInverted: Code { .datesInverted }
  /// The calendars cannot be read or written, for a reason that the description gives.
  public static var internalFailure: Code { .internalFailure }
  /// The calendar is read-only.
  public static var calendarReadOnly: Code { .calendarReadOnly }
  /// The event is longer than the interval of its recurrence.
  public static var durationGreaterThanRecurrence: Code { .durationGreaterThanRecurrence }
  /// An alarm is earlier than the interval of the recurrence.
  public static var alarmGreaterThanRecurrence: Code { .alarmGreaterThanRecurrence }
  /// The start is too far in the future.
  public static var startDateTooFarInFuture: Code { .startDateTooFarInFuture }
  /// The start is that of another occurrence.
  public static var startDateCollidesWithOtherOccurrence: Code {
    .startDateCollidesWithOtherOccurrence
  }
  /// The object belongs to another store.
  public static var objectBelongsToDifferentStore: Code { .objectBelongsToDifferentStore }
  /// An event with invitations cannot move to another calendar.
  public static var invitesCannotBeMoved: Code { .invitesCannotBeMoved }
  /// The span does not fit the event.
  public static var invalidSpan: Code { .invalidSpan }
  /// The calendar has no source.
  public static var calendarHasNoSource: Code { .calendarHasNoSource }
  /// The calendar cannot move to another source.
  public static var calendarSourceCannotBeModified: Code { .calendarSourceCannotBeModified }
  /// The calendar cannot be changed.
  public static var calendarIsImmutable: Code { .calendarIsImmutable }
  /// The source does not allow calendars to be added or deleted.
  public static var sourceDoesNotAllowCalendarAddDelete: Code {
    .sourceDoesNotAllowCalendarAddDelete
  }
  /// A recurring reminder has no due date.
  public static var recurringReminderRequiresDueDate: Code { .recurringReminderRequiresDueDate }
  /// The source has no structured locations.
  public static var structuredLocationsNotSupported: Code { .structuredLocationsNotSupported }
  /// The source has no locations of reminders.
  public static var reminderLocationsNotSupported: Code { .reminderLocationsNotSupported }
  /// The source has no alarms at locations.
  public static var alarmProximityNotSupported: Code { .alarmProximityNotSupported }
  /// The calendar holds no events.
  public static var calendarDoesNotAllowEvents: Code { .calendarDoesNotAllowEvents }
  /// The calendar holds no reminders.
  public static var calendarDoesNotAllowReminders: Code { .calendarDoesNotAllowReminders }
  /// The source has no reminders.
  public static var sourceDoesNotAllowReminders: Code { .sourceDoesNotAllowReminders }
  /// The source has no events.
  public static var sourceDoesNotAllowEvents: Code { .sourceDoesNotAllowEvents }
  /// The priority is not from 0 through 9.
  public static var priorityIsInvalid: Code { .priorityIsInvalid }
  /// The kind of items is unknown.
  public static var invalidEntityType: Code { .invalidEntityType }
  /// The document that an alarm opens cannot be changed.
  public static var procedureAlarmsNotMutable: Code { .procedureAlarmsNotMutable }
  /// The program has no access.
  public static var eventStoreNotAuthorized: Code { .eventStoreNotAuthorized }
  /// The operation does not exist on this system.
  public static var osNotSupported: Code { .osNotSupported }
  /// The calendar cannot hold the reply to an invitation.
  public static var invalidInviteReplyCalendar: Code { .invalidInviteReplyCalendar }
  /// The collection of notifications is not marked as one.
  public static var notificationsCollectionFlagNotSet: Code { .notificationsCollectionFlagNotSet }
  /// The sources of two objects differ.
  public static var sourceMismatch: Code { .sourceMismatch }
  /// The collections of two notifications differ.
  public static var notificationCollectionMismatch: Code { .notificationCollectionMismatch }
  /// A notification was saved without its collection.
  public static var notificationSavedWithoutCollection: Code { .notificationSavedWithoutCollection }
  /// An alarm of a reminder has an e-mail address or a URL.
  public static var reminderAlarmContainsEmailOrUrl: Code { .reminderAlarmContainsEmailOrUrl }
  /// The number after the last code; no error has it.
  public static var last: Code { .last }
}
