// SPDX-License-Identifier: Apache-2.0

/// Why an event or a reminder cannot be saved as it is, by the rules of EventKit.
///
/// These are the faults of the item, and of the calendar that it is to be saved in; what a grant refuses
/// is told by the access policy.
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

    /// Every kind of error.
    public static var allCases: [Code] { Value.allCases.map { Code(value: $0) } }

    /// The name of the kind, as EventKit has it: `noStartDate`.
    public var description: String { value.rawValue }

    /// There is no calendar to save it in.
    public static let noCalendar = Code(value: .noCalendar)
    /// The calendar can only be read.
    public static let calendarReadOnly = Code(value: .calendarReadOnly)
    /// The calendar holds no events.
    public static let calendarDoesNotAllowEvents = Code(value: .calendarDoesNotAllowEvents)
    /// The calendar holds no reminders.
    public static let calendarDoesNotAllowReminders = Code(value: .calendarDoesNotAllowReminders)
    /// The item was read from another store than the one it is to be saved in.
    public static let objectBelongsToDifferentStore = Code(value: .objectBelongsToDifferentStore)
    /// An event has no start.
    public static let noStartDate = Code(value: .noStartDate)
    /// An event has no end, where one is wanted.
    public static let noEndDate = Code(value: .noEndDate)
    /// A priority is not from 0 through 9.
    public static let priorityIsInvalid = Code(value: .priorityIsInvalid)
    /// The occurrences of a series lie closer together than they last.
    public static let durationGreaterThanRecurrence = Code(value: .durationGreaterThanRecurrence)
    /// An alarm goes off before the occurrence that comes before its own.
    public static let alarmGreaterThanRecurrence = Code(value: .alarmGreaterThanRecurrence)
    /// An occurrence was moved to where another one starts.
    public static let startDateCollidesWithOtherOccurrence = Code(
      value: .startDateCollidesWithOtherOccurrence)
    /// The end lies before the start.
    public static let datesInverted = Code(value: .datesInverted)
    /// Of the start and the end, one is a day and the other a time.
    public static let mixedTimes = Code(value: .mixedTimes)
    /// A reminder recurs and is never due.
    public static let recurringReminderRequiresDueDate = Code(
      value: .recurringReminderRequiresDueDate)
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String
  /// The section of the RFC, or nil where the rule is EventKit's own.
  public let reference: String?

  init(_ code: Code, _ message: String, reference: String? = nil) {
    self.code = code
    self.message = message
    self.reference = reference
  }

  /// What is wrong, for people.
  public var description: String { message }
}
