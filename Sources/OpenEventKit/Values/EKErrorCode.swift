// SPDX-License-Identifier: Apache-2.0

extension EKError {
  /// The kind of an error, with the numbers of Apple's EventKit.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The event cannot be changed.
    case eventNotMutable = 0
    /// The item has no calendar.
    case noCalendar = 1
    /// The event has no start.
    case noStartDate = 2
    /// The event has no end.
    case noEndDate = 3
    /// The end is before the start.
    case datesInverted = 4
    /// The calendars cannot be read or written, for a reason that the description gives.
    case internalFailure = 5
    /// The calendar is read-only.
    case calendarReadOnly = 6
    /// The event is longer than the interval of its recurrence.
    case durationGreaterThanRecurrence = 7
    /// An alarm is earlier than the interval of the recurrence.
    case alarmGreaterThanRecurrence = 8
    /// The start is too far in the future.
    case startDateTooFarInFuture = 9
    /// The start is that of another occurrence.
    case startDateCollidesWithOtherOccurrence = 10
    /// The object belongs to another store.
    case objectBelongsToDifferentStore = 11
    /// An event with invitations cannot move to another calendar.
    case invitesCannotBeMoved = 12
    /// The span does not fit the event.
    case invalidSpan = 13
    /// The calendar has no source.
    case calendarHasNoSource = 14
    /// The calendar cannot move to another source.
    case calendarSourceCannotBeModified = 15
    /// The calendar cannot be changed.
    case calendarIsImmutable = 16
    /// The source does not allow calendars to be added or deleted.
    case sourceDoesNotAllowCalendarAddDelete = 17
    /// A recurring reminder has no due date.
    case recurringReminderRequiresDueDate = 18
    /// The source has no structured locations.
    case structuredLocationsNotSupported = 19
    /// The source has no locations of reminders.
    case reminderLocationsNotSupported = 20
    /// The source has no alarms at locations.
    case alarmProximityNotSupported = 21
    /// The calendar holds no events.
    case calendarDoesNotAllowEvents = 22
    /// The calendar holds no reminders.
    case calendarDoesNotAllowReminders = 23
    /// The source has no reminders.
    case sourceDoesNotAllowReminders = 24
    /// The source has no events.
    case sourceDoesNotAllowEvents = 25
    /// The priority is not from 0 through 9.
    case priorityIsInvalid = 26
    /// The kind of items is unknown.
    case invalidEntityType = 27
    /// The document that an alarm opens cannot be changed.
    case procedureAlarmsNotMutable = 28
    /// The program has no access.
    case eventStoreNotAuthorized = 29
    /// The operation does not exist on this system.
    case osNotSupported = 30
    /// The calendar cannot hold the reply to an invitation.
    case invalidInviteReplyCalendar = 31
    /// The collection of notifications is not marked as one.
    case notificationsCollectionFlagNotSet = 32
    /// The sources of two objects differ.
    case sourceMismatch = 33
    /// The collections of two notifications differ.
    case notificationCollectionMismatch = 34
    /// A notification was saved without its collection.
    case notificationSavedWithoutCollection = 35
    /// An alarm of a reminder has an e-mail address or a URL.
    case reminderAlarmContainsEmailOrUrl = 36
    /// The number after the last code; no error has it.
    case last = 37
  }
}

extension EKError.Code {
  /// Whether an error is of a kind: the pattern `catch EKError.noCalendar`.
  ///
  /// - Parameters:
  ///   - code: The kind.
  ///   - error: An `EKError`, or an `NSError` with its domain and number.
  /// - Returns: True if the error is of the kind.
  public static func ~= (code: EKError.Code, error: any Error) -> Bool {
    EKError(matching: error)?.code == code
  }

  /// The sentence that a program shows when the error has no description of its own.
  var sentence: String {
    switch self {
    case .eventNotMutable: "The event cannot be changed."
    case .noCalendar: "No calendar is set."
    case .noStartDate: "The event has no start."
    case .noEndDate: "The event has no end."
    case .datesInverted: "The end is before the start."
    case .internalFailure: "The calendars cannot be read or written."
    case .calendarReadOnly: "The calendar is read-only."
    case .durationGreaterThanRecurrence: "The event is longer than the interval of its recurrence."
    case .alarmGreaterThanRecurrence: "An alarm is earlier than the interval of the recurrence."
    case .startDateTooFarInFuture: "The start is too far in the future."
    case .startDateCollidesWithOtherOccurrence: "Another occurrence has the same start."
    case .objectBelongsToDifferentStore: "The object belongs to another event store."
    case .invitesCannotBeMoved: "An event with invitations cannot move to another calendar."
    case .invalidSpan: "The span does not fit the event."
    case .calendarHasNoSource: "The calendar has no source."
    case .calendarSourceCannotBeModified: "The calendar cannot move to another source."
    case .calendarIsImmutable: "The calendar cannot be changed."
    case .sourceDoesNotAllowCalendarAddDelete:
      "The source does not allow calendars to be added or deleted."
    case .recurringReminderRequiresDueDate: "A reminder that recurs needs a due date."
    case .structuredLocationsNotSupported: "The source does not support structured locations."
    default: laterSentence
    }
  }

  /// The sentences from the 20th code on.
  private var laterSentence: String {
    switch self {
    case .reminderLocationsNotSupported: "The source does not support locations of reminders."
    case .alarmProximityNotSupported: "The source does not support alarms at locations."
    case .calendarDoesNotAllowEvents: "The calendar holds no events."
    case .calendarDoesNotAllowReminders: "The calendar holds no reminders."
    case .sourceDoesNotAllowReminders: "The source does not support reminders."
    case .sourceDoesNotAllowEvents: "The source does not support events."
    case .priorityIsInvalid: "The priority is not from 0 through 9."
    case .invalidEntityType: "The kind of items is unknown."
    case .procedureAlarmsNotMutable: "The document that an alarm opens cannot be changed."
    case .eventStoreNotAuthorized: "The program has no access to the calendars."
    case .osNotSupported: "The operation does not exist on this system."
    case .invalidInviteReplyCalendar: "The calendar cannot hold the reply to an invitation."
    case .notificationsCollectionFlagNotSet: "The collection is not marked as one of notifications."
    case .sourceMismatch: "The objects belong to different sources."
    case .notificationCollectionMismatch: "The notifications belong to different collections."
    case .notificationSavedWithoutCollection: "The notification has no collection."
    case .reminderAlarmContainsEmailOrUrl:
      "An alarm of a reminder cannot have an e-mail address or a URL."
    default: "The error is unknown."
    }
  }
}
