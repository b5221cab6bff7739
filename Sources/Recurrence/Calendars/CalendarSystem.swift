// SPDX-License-Identifier: Apache-2.0

/// A calendar in which rules can be reckoned: what RSCALE names (RFC 7529 §4).
///
/// The Gregorian calendar is built in. Others are handed in by whoever has them, through
/// ``RecurrenceOptions/calendars``; a calendar need only tell how its years are laid out, and all of
/// RFC 5545 and RFC 7529 follows from that.
public protocol CalendarSystem: Sendable {
  /// The name that RSCALE gives it, in upper case, such as `HEBREW`.
  var name: String { get }

  /// Lays out a year.
  ///
  /// - Parameter number: The number of the year; years follow each other by one.
  /// - Returns: The layout, or nil if the calendar cannot tell.
  func year(_ number: Int) -> CalendarYear?

  /// Lays out the year that a day lies in.
  ///
  /// - Parameter day: The number of days since 1970-01-01.
  /// - Returns: The layout, or nil if the calendar cannot tell.
  func year(containingDay day: Int) -> CalendarYear?
}
