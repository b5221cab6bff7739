// SPDX-License-Identifier: Apache-2.0

/// Why an event or a reminder cannot be saved as it is, by the rules of EventKit.
///
/// These are the faults of the item itself; what a calendar or a grant refuses is told elsewhere.
public struct SaveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noStartDate, datesInverted, mixedTimes, recurringReminderRequiresDueDate
    }

    private let value: Value

    /// An event has no start.
    public static let noStartDate = Code(value: .noStartDate)
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
