// SPDX-License-Identifier: Apache-2.0

/// The reason why an event or a reminder cannot be saved, according to the rules of EventKit.
///
/// The errors concern the item and its calendar. The access policy reports missing access.
public struct SaveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    private enum Value: String, Hashable, Sendable, CaseIterable {
      case noCalendar, calendarReadOnly, calendarDoesNotAllowEvents
      case calendarDoesNotAllowReminders, objectBelongsToDifferentStore
      case noStartDate, noEndDate, datesInverted, mixedTimes, priorityIsInvalid
      case recurringReminderRequiresDueDate, durationGreaterThanRecurrence
      case alarmGreaterThanRecurrence, startDateCollidesWithOtherOccurrence
    }

    private let value: Value

    /// All kinds of errors.
    public static var allCases: [Code] { Value.allCases.map { Code(value: $0) } }

    /// The name of the kind as in EventKit, such as `noStartDate`.
    public var description: String { value.rawValue }

    /// No calendar is selected.
    public static let noCalendar = Code(value: .noCalendar)
    /// The calendar is read-only.
    public static let calendarReadOnly = Code(value: .calendarReadOnly)
    /// The calendar does not support events.
    public static let calendarDoesNotAllowEvents = Code(value: .calendarDoesNotAllowEvents)
    /// The calendar does not support reminders.
    public static let calendarDoesNotAllowReminders = Code(value: .calendarDoesNotAllowReminders)
    /// The item belongs to another store than the calendar.
    public static let objectBelongsToDifferentStore = Code(value: .objectBelongsToDifferentStore)
    /// The event has no start.
    public static let noStartDate = Code(value: .noStartDate)
    /// The event has no end, but the rules require one.
    public static let noEndDate = Code(value: .noEndDate)
    /// The priority is not from 0 through 9.
    public static let priorityIsInvalid = Code(value: .priorityIsInvalid)
    /// The occurrences are longer than the interval between them.
    public static let durationGreaterThanRecurrence = Code(value: .durationGreaterThanRecurrence)
    /// An alarm fires before the preceding occurrence.
    public static let alarmGreaterThanRecurrence = Code(value: .alarmGreaterThanRecurrence)
    /// An occurrence was moved to the start of another one.
    public static let startDateCollidesWithOtherOccurrence = Code(
      value: .startDateCollidesWithOtherOccurrence)
    /// The end is before the start.
    public static let datesInverted = Code(value: .datesInverted)
    /// One of the start and the end is a date, and the other is a time.
    public static let mixedTimes = Code(value: .mixedTimes)
    /// A recurring reminder has no due date.
    public static let recurringReminderRequiresDueDate = Code(
      value: .recurringReminderRequiresDueDate)
  }

  /// The kind of the error.
  public let code: Code
  /// The description of the problem, for display.
  public let message: String
  /// The section of the RFC, or nil for a rule that only EventKit has.
  public let reference: String?

  init(_ code: Code, _ message: String, reference: String? = nil) {
    self.code = code
    self.message = message
    self.reference = reference
  }

  /// The description of the problem, for display.
  public var description: String { message }
}
