// SPDX-License-Identifier: Apache-2.0

import Epact

/// A number with a noun: `1 event`, `2 events`, `1,000 events`.
struct Count: CustomStringConvertible, Sendable {
  private let number: Int
  private let singular: String
  private let plural: String

  /// Creates a count; an irregular plural has to be given.
  init(_ number: Int, _ singular: String, plural: String? = nil) {
    self.number = number
    self.singular = singular
    self.plural = plural ?? singular + "s"
  }

  /// The number and the noun.
  var description: String { "\(Self.grouped(number)) \(number == 1 ? singular : plural)" }

  /// The number with a comma as the thousands separator.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }
}
