// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A yearly date of a vCard, with or without a year (RFC 6350 §4.3.1, §4.3.4).
///
/// ```text
/// 19850412   1985-04-12   19850412T102200Z   --0412   --04-12   0000-04-12
/// ```
package struct VCardDate: Hashable, Sendable {
  /// The reason why a text is not a yearly date.
  package enum Problem: Error, Hashable, Sendable {
    /// The month or the day is missing.
    case incomplete
    /// The day does not exist in its month and year.
    case nonexistent
    /// The text is not a date of ISO 8601.
    case notDate

    /// The missing part of a message.
    var expected: String {
      switch self {
      case .incomplete: "a date with a month and a day"
      case .nonexistent: "a date that exists"
      case .notDate: "a date such as 1985-04-12 or --0412"
      }
    }
  }

  /// The year from 1, or nil if it is unknown.
  package let year: Int?
  /// The month, from 1 through 12.
  package let month: Int
  /// The day of the month.
  package let day: Int

  /// Parses a date; a time of day after it is ignored.
  ///
  /// Lenient: the year 0 is unknown, as some programs write it, and hyphens are also accepted after
  /// `--` (RFC 6350 §4.3.1 has only `--0412`).
  ///
  /// - Parameters:
  ///   - text: The value, without blanks around it.
  ///   - omittedYear: The year that stands for an unknown one (`X-APPLE-OMIT-YEAR`).
  /// - Throws: `Problem` if the text is not a date with a month and a day.
  package init(parsing text: String, omittedYear: Int? = nil) throws(Problem) {
    let date = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    let form = String(date.map { $0.isASCII && $0.isNumber ? "9" : $0 })
    let digits = date.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }.map { Int($0) - 0x30 }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let known: Int
    switch form {
    case "99999999", "9999-99-99":
      (known, month, day) = (number(0..<4), number(4..<6), number(6..<8))
    case "--9999", "--99-99":
      (known, month, day) = (0, number(0..<2), number(2..<4))
    case "9999", "9999-99", "--99", "---99": throw .incomplete
    case "" where text.first == "T": throw .incomplete
    default: throw .notDate
    }
    year = known == 0 || known == omittedYear ? nil : known
    // A leap year has all days.
    guard CivilDate(year: year ?? 2000, month: month, day: day) != nil else { throw .nonexistent }
  }

  /// Whether the date is the 29 February.
  package var isLeapDay: Bool { month == 2 && day == 29 }
}
