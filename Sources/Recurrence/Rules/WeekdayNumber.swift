// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A value of a BYDAY part: a weekday, or the n-th such weekday of a month or year
/// (RFC 5545 §3.3.10).
public struct WeekdayNumber: Hashable, Sendable, CustomStringConvertible {
  /// Which of the weekdays it is, from 1 through 53, or from -1 through -53 counted from the end; nil
  /// for all of them.
  public let ordinal: Int?
  /// The day of the week.
  public let weekday: Weekday

  /// Creates the weekday that a BYDAY part names, such as `-1FR`.
  ///
  /// - Parameters:
  ///   - weekday: The day of the week.
  ///   - ordinal: Which of them, or nil for all.
  public init(_ weekday: Weekday, ordinal: Int? = nil) {
    self.ordinal = ordinal
    self.weekday = weekday
  }

  /// The value as it is written, such as `MO` or `-1FR`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.description }
}
