// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, which can only advance to the next day.
///
/// The arithmetic is deliberately independent of the library; see ``Moment``.
struct Day: Sendable {
  /// The days since 1970-01-01.
  private(set) var number: Int
  private(set) var year: Int
  private(set) var month: Int
  private(set) var day: Int
  private(set) var dayOfYear: Int

  init(year: Int, month: Int, day: Int) {
    (number, self.year, self.month, self.day, dayOfYear) = (0, 1970, 1, 1, 1)
    while (self.year, self.month, self.day) < (year, month, day) { advance() }
  }

  mutating func advance() {
    number += 1
    (day, dayOfYear) = (day + 1, dayOfYear + 1)
    if day > monthLength { (month, day) = (month + 1, 1) }
    if month > 12 { (year, month, dayOfYear) = (year + 1, 1, 1) }
  }

  /// The weekday; 0 is Monday.
  var weekday: Int { (number + 3) % 7 }

  private var isLeap: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  var yearLength: Int { isLeap ? 366 : 365 }

  var monthLength: Int {
    switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The ISO 8601 week number, for days that are not near the ends of a year.
  var week: Int { (dayOfYear - weekday + 9) / 7 }

  /// The morning offset of New York in seconds, by the laws since 1987.
  var newYorkOffset: Int {
    // The day of the month of the last Sunday up to this day; 0 or less in the previous month.
    let sunday = day - (weekday + 1) % 7
    let isSummer =
      switch month {
      case 3: year >= 2007 && sunday >= 8
      case 4: year >= 2007 || sunday >= 1
      case 5...9: true
      case 10: year >= 2007 || sunday < 25
      case 11: year >= 2007 && sunday < 1
      default: false
      }
    return isSummer ? -14_400 : -18_000
  }

  /// The day as `19970902`.
  var text: String { Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2) }

  static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
