// SPDX-License-Identifier: Apache-2.0

/// A number of days as users write it, such as `90d`, `12w`, `6m` or `2y`.
package struct NumberOfDays: Hashable, Sendable {
  /// The number of days in each unit; months and years have their maximum length.
  private static let units: [(letter: Character, days: Int)] = [
    ("d", 1), ("w", 7), ("m", 31), ("y", 366),
  ]
  /// The maximum number of a span, in any unit: calendars end with the year 9999.
  private static let longest = 9999

  /// The days, from 0.
  package let days: Int

  /// Parses a number with a unit; nil if the text is none.
  package init?(parsing text: String) {
    guard let unit = Self.units.first(where: { $0.letter == text.last }),
      let number = Int(text.dropLast()), (0...Self.longest).contains(number)
    else { return nil }
    days = number * unit.days
  }
}
