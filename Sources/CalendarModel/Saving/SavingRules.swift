// SPDX-License-Identifier: Apache-2.0

import CivilTime
public import ICalSyntax
public import Recurrence

/// The rules for saving an event or a reminder, modelled on EventKit.
///
/// Items that violate the rules are still read, stored and synced. A program checks the rules
/// before it creates or edits an item.
public struct SavingRules: Sendable {
  let zones: ZoneResolver?
  /// Whether an event requires an end, as in EventKit; the RFC makes it optional.
  public var requiresEnd = false
  /// The options for rules, with the available calendars of RFC 7529.
  public var recurrence = RecurrenceOptions()

  /// Creates the rules.
  ///
  /// - Parameter zones: The resolver for comparing times in different zones; without it they are
  ///   not compared.
  public init(zones: ZoneResolver? = nil) {
    self.zones = zones
  }

  /// Returns the reasons why an event cannot be saved; empty if it can.
  public func errors(in event: Event) -> [SaveError] {
    guard let start = event.start else {
      return [
        SaveError(
          .noStartDate, "expected a start, found none", reference: "RFC 5545 §3.6.1")
      ]
    }
    var errors = order(start, event.end, "RFC 5545 §3.8.2.2") + priority(event.priority)
    if requiresEnd, event.end == nil {
      errors.append(SaveError(.noEndDate, "expected an end, found none"))
    }
    return errors
  }

  /// Returns the reasons why a reminder cannot be saved; empty if it can.
  public func errors(in reminder: Reminder) -> [SaveError] {
    var errors = priority(reminder.priority)
    if reminder.recurrence.isRecurring, reminder.due == nil {
      errors.append(
        SaveError(
          .recurringReminderRequiresDueDate,
          "expected a due date in a reminder that recurs, found none"))
    }
    if let start = reminder.start { errors += order(start, reminder.due, "RFC 5545 §3.8.2.3") }
    return errors
  }

  /// Returns the diagnostics for a component, at the properties that violate the rules.
  ///
  /// Violations that `ComponentChecker` reports are omitted. The diagnostics cover comparisons that
  /// require time zone rules, and values that the RFC allows but most programs do not.
  public func diagnostics(for component: Component) -> [Diagnostic] {
    let errors: [SaveError]
    let endName: PropertyName
    switch component.name {
    // `ComponentChecker` compares times with the same TZID. The early exit matters, because this
    // method runs for every component of every file.
    case .event where component[.dtEnd]?[.tzID] == component[.dtStart]?[.tzID]: return []
    case .event:
      errors = self.errors(in: Event(component))
      endName = .dtEnd
    case .reminder:
      errors = self.errors(in: Reminder(component))
      endName = .due
    default: return []
    }
    return errors.compactMap { error in
      switch error.code {
      case .recurringReminderRequiresDueDate:
        component.diagnostic(.warning, .unsavable, error.message, reference: "RFC 5545 §3.6.2")
      case .datesInverted:
        component[endName].flatMap { end in
          let isSeenByChecker = end[.tzID] == component[.dtStart]?[.tzID]
          return isSeenByChecker
            ? nil
            : end.diagnostic(.error, .unsavable, error.message, reference: error.reference)
        }
      default: nil
      }
    }
  }

  func priority(_ priority: Int) -> [SaveError] {
    guard !(0...9).contains(priority) else { return [] }
    return [
      SaveError(
        .priorityIsInvalid, "expected a priority from 0 through 9, found \(priority)",
        reference: "RFC 5545 §3.8.1.9")
    ]
  }

  private func order(_ start: EventTime, _ end: EventEnd?, _ reference: String) -> [SaveError] {
    switch end {
    case nil: return []
    case .duration(let duration):
      guard duration.isNegative else { return [] }
      return [
        SaveError(
          .datesInverted, "expected a duration that is not negative, found \(duration)",
          reference: reference)
      ]
    case .time(let end):
      guard start.isAllDay == end.isAllDay else {
        return [
          SaveError(
            .mixedTimes, "expected two dates or two times, found one of each", reference: reference)
        ]
      }
      guard isBefore(end, start) else { return [] }
      return [
        SaveError(
          .datesInverted,
          "expected an end that is not before the start, found \(end.spelled) "
            + "after \(start.spelled)", reference: reference)
      ]
    }
  }

  private func isBefore(_ left: EventTime, _ right: EventTime) -> Bool {
    switch (left, right) {
    case (.utc(let left), .utc(let right)), (.floating(let left), .floating(let right)):
      return left < right
    case (.date(let left), .date(let right)): return left < right
    case (.zoned(let left, let leftZone), .zoned(let right, let rightZone))
    where leftZone == rightZone:
      // The result is wrong only if the clock is set back between the two times.
      return left < right
    default:
      guard let left = instant(of: left), let right = instant(of: right) else { return false }
      return left < right
    }
  }

  /// Returns the instant, or nil if the time is floating or its zone has no rules.
  private func instant(of time: EventTime) -> Instant? {
    switch time {
    case .utc(let time): return time.instant(at: .zero)
    case .zoned(let time, let tzID):
      guard let zones else { return nil }
      return (try? zones.rules(of: zones.resolve(tzID)))?.instant(of: time)
    case .date, .floating: return nil
    }
  }
}

extension DiagnosticCode {
  /// A component with values that most programs refuse to save.
  public static let unsavable = DiagnosticCode(rawValue: "item.unsavable")
}

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
