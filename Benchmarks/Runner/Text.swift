// SPDX-License-Identifier: Apache-2.0

/// Formatting of numbers and columns.
enum Text {
  /// Formats a number with at least three significant digits.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    let scale = [1.0, 10, 100][digits]
    let whole = Int((value * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = "\(whole % Int(scale))"
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(whole / Int(scale)).\(zeros)\(fraction)"
  }
}

extension String {
  /// The text padded with spaces to a width, on the right or on the left.
  func padded(to width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return left ? spaces + self : self + spaces
  }
}
