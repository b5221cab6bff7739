// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors of EventKit.
public let EKErrorDomain = "EKErrorDomain"

/// An error of EventKit.
///
/// ```swift
/// do {
///   try store.save(event, span: .thisEvent)
/// } catch EKError.noCalendar {
///   event.calendar = store.defaultCalendarForNewEvents
/// }
/// ```
///
/// ## Topics
///
/// ### Kinds
/// - ``Code``
/// - ``code``
public struct EKError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// The domain of the errors.
  public static var errorDomain: String { EKErrorDomain }

  private let base: NSError

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - userInfo: More about the error, such as a description under `NSLocalizedDescriptionKey`.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    base = NSError(domain: EKErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// Creates an error with a description for people.
  package init(_ code: Code, _ description: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
  }

  /// Creates the error for an item that cannot be saved.
  package init(_ error: SaveError) {
    var userInfo = [NSLocalizedFailureReasonErrorKey: error.message]
    if error.code == .mixedTimes {
      userInfo[NSLocalizedDescriptionKey] =
        "One of the start and the end is a date, and the other a time."
    }
    self.init(Code(error.code), userInfo: userInfo)
  }

  /// The error of EventKit that another error is or stands for, or nil.
  init?(matching error: any Error) {
    if let error = error as? EKError {
      self = error
      return
    }
    let bridged = error as NSError
    guard bridged.domain == EKErrorDomain, let code = Code(rawValue: bridged.code) else {
      return nil
    }
    self.init(code, userInfo: bridged.userInfo)
  }

  /// The kind of the error.
  public var code: Code { Code(rawValue: base.code) ?? .internalFailure }

  /// The number of the kind.
  public var errorCode: Int { base.code }

  /// More about the error, with a description under `NSLocalizedDescriptionKey`.
  public var userInfo: [String: Any] {
    base.userInfo.merging([NSLocalizedDescriptionKey: code.sentence]) { own, _ in own }
  }

  /// The same as ``userInfo``.
  public var errorUserInfo: [String: Any] { userInfo }

  /// The description of the problem, for display.
  public var errorDescription: String? {
    base.userInfo[NSLocalizedDescriptionKey] as? String ?? code.sentence
  }

  /// The values that were found instead of the expected ones; nil for most errors.
  public var failureReason: String? { base.userInfo[NSLocalizedFailureReasonErrorKey] as? String }
}

extension EKError.Code {
  /// The kind of an error for an item that cannot be saved.
  ///
  /// An item with a date and a time as its start and end has no kind of its own, because the
  /// objects of EventKit cannot express it.
  package init(_ code: SaveError.Code) {
    self =
      switch code {
      case .noCalendar: .noCalendar
      case .calendarReadOnly: .calendarReadOnly
      case .calendarDoesNotAllowEvents: .calendarDoesNotAllowEvents
      case .calendarDoesNotAllowReminders: .calendarDoesNotAllowReminders
      case .objectBelongsToDifferentStore: .objectBelongsToDifferentStore
      case .noStartDate: .noStartDate
      case .noEndDate: .noEndDate
      case .datesInverted: .datesInverted
      case .priorityIsInvalid: .priorityIsInvalid
      case .recurringReminderRequiresDueDate: .recurringReminderRequiresDueDate
      case .durationGreaterThanRecurrence: .durationGreaterThanRecurrence
      case .alarmGreaterThanRecurrence: .alarmGreaterThanRecurrence
      case .startDateCollidesWithOtherOccurrence: .startDateCollidesWithOtherOccurrence
      default: .internalFailure
      }
  }
}

extension EKEntityType {
  /// The kind of items in files; nil for kinds that EventKit does not have.
  package init?(_ kind: ItemKind) {
    switch kind {
    case .event: self = .event
    case .reminder: self = .reminder
    case .journal, .freeBusy, .availability: return nil
    }
  }

  /// The kind of items in files.
  package var kind: ItemKind {
    switch self {
    case .event: .event
    case .reminder: .reminder
    }
  }
}
