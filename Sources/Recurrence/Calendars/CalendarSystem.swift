// SPDX-License-Identifier: Apache-2.0

/// A calendar system that RSCALE can name (RFC 7529 §4).
///
/// The Gregorian calendar is built in. Callers add other calendars through
/// ``RecurrenceOptions/calendars``. A calendar only has to provide the layout of its years; the
/// expansion derives the rules of RFC 5545 and RFC 7529 from it.
public protocol CalendarSystem: Sendable {
  /// The RSCALE name in upper case, such as `HEBREW`.
  var name: String { get }

  /// Returns the layout of a year.
  ///
  /// - Parameter number: The number of the year; consecutive years have consecutive numbers.
  /// - Returns: The layout, or nil if the calendar does not support the year.
  func year(_ number: Int) -> CalendarYear?

  /// Returns the layout of the year that contains a day.
  ///
  /// - Parameter day: The number of days since 1970-01-01.
  /// - Returns: The layout, or nil if the calendar does not support the year.
  func year(containingDay day: Int) -> CalendarYear?
}
