// SPDX-License-Identifier: Apache-2.0

/// A value of a BYMONTH part (RFC 5545 §3.3.10), which may be a leap month (RFC 7529 §4.2).
public struct MonthNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number of the month, from 1 through 12, or 13 outside the Gregorian calendar.
  public let number: Int
  /// Whether this is the leap month that follows the month with that number.
  public let isLeap: Bool

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - number: The number of the month.
  ///   - isLeap: Whether it is the leap month with that number.
  public init(_ number: Int, isLeap: Bool = false) {
    self.number = number
    self.isLeap = isLeap
  }

  /// The value in BYMONTH syntax, such as `12` or `5L`.
  public var description: String { "\(number)\(isLeap ? "L" : "")" }
}
