// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A BYDAY value: a weekday, or the n-th weekday of a month or year (RFC 5545 §3.3.10).
public struct WeekdayNumber: Hashable, Sendable, CustomStringConvertible {
  /// The ordinal, from 1 through 53 or from -53 through -1; nil for all such weekdays.
  ///
  /// Negative ordinals count from the end.
  public let ordinal: Int?
  /// The day of the week.
  public let weekday: Weekday

  /// Creates a BYDAY value such as `-1FR`.
  ///
  /// - Parameters:
  ///   - weekday: The day of the week.
  ///   - ordinal: The ordinal, or nil for all such weekdays.
  public init(_ weekday: Weekday, ordinal: Int? = nil) {
    self.ordinal = ordinal
    self.weekday = weekday
  }

  /// The value in BYDAY syntax, such as `MO` or `-1FR`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.description }
}
