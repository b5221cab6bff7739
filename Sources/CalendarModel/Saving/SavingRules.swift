// SPDX-License-Identifier: Apache-2.0

import CivilTime
public import ICalSyntax

/// The rules that an event or a reminder has to meet to be saved, as EventKit has them.
///
/// A file may hold what breaks them, and it is read, kept and synced all the same; a program that
/// makes or edits an item asks here first.
public struct SavingRules: Sendable {
  let zones: ZoneResolver?
  /// Whether an event needs an end, as EventKit has it; by the RFC it may leave it out.
  public var requiresEnd = false

  /// Creates the rules.
  ///
  /// - Parameter zones: Compares times in different zones; without it they are not compared.
  public init(zones: ZoneResolver? = nil) {
    self.zones = zones
  }

  /// What keeps an event from being saved; empty if nothing does.
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

  /// What keeps a reminder from being saved; empty if nothing does.
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

  /// The diagnostics for a component, at the properties that break the rules.
  ///
  /// What `ComponentChecker` says of one component anyway is left to it: here is what takes the rules
  /// of time zones, and what the RFC allows but programs do not.
  public func diagnostics(for component: Component) -> [Diagnostic] {
    let errors: [SaveError]
    let endName: PropertyName
    switch component.name {
    // Two times in one zone the checker compares, and this is asked of every component of every file.
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
            .mixedTimes, "expected two days or two times, found one of each", reference: reference)
        ]
      }
      guard isBefore(end, start) else { return [] }
      return [
        SaveError(
          .datesInverted,
          "expected an end that is not before the start, found \(end.rawValue) "
            + "after \(start.rawValue)", reference: reference)
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
      // In one zone the clock may be set back between the two; only its rules could tell.
      return left < right
    default:
      guard let left = instant(of: left), let right = instant(of: right) else { return false }
      return left < right
    }
  }

  /// The point in time, or nil if the time floats or its zone has no rules.
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
  /// A component says what most programs refuse to save.
  public static let unsavable = DiagnosticCode(rawValue: "item.unsavable")
}
