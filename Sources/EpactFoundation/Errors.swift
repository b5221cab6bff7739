// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
public import Foundation
public import ICalSyntax
public import Recurrence

// `localizedDescription` is the description of an error; without this it names only the type. The
// descriptions are in English.

extension BasicFormatError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ZoneError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension RecurrenceRuleIssue: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension RecurrenceTextError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ExpansionError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SyntaxError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ItemError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension EditError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SaveError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SchedulingRefusal: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ZoneResolutionError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}
