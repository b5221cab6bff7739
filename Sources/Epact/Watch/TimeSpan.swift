// SPDX-License-Identifier: Apache-2.0

/// A span of time as users write it, such as `90s`, `15m`, `2h` or `1d`.
package struct TimeSpan: Hashable, Sendable, CustomStringConvertible {
  /// The units with their seconds, largest first.
  private static let units: [(letter: Character, seconds: Int)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]
  /// The greatest number of a unit.
  private static let numberLimit = 100_000

  /// The seconds; greater than 0.
  package let seconds: Int

  /// Parses a number with a unit (`s`, `m`, `h` or `d`); nil if the text is none, or is zero.
  package init?(parsing text: String) {
    guard let unit = Self.units.first(where: { $0.letter == text.last }),
      text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(text.dropLast()), 1...Self.numberLimit ~= number
    else { return nil }
    seconds = number * unit.seconds
  }

  /// Creates a span of minutes, from 1.
  package init(minutes: Int) {
    precondition(minutes > 0, "a span is longer than nothing")
    seconds = minutes * 60
  }

  /// The span in the largest unit without a remainder.
  package var description: String {
    for (letter, length) in Self.units where seconds.isMultiple(of: length) {
      return "\(seconds / length)\(letter)"
    }
    return "\(seconds)s"
  }
}
