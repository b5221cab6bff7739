// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CGColor {
  /// Creates a colour from the text `#RRGGBB` or `#RRGGBBAA`, or returns nil for other texts.
  ///
  /// - Parameter text: The text, in either case.
  package convenience init?(text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(String(text.dropFirst()), radix: 16)
    else { return nil }
    let all = digits.count == 6 ? number << 8 | 0xFF : number
    func part(_ shift: UInt32) -> CGFloat { CGFloat(all >> shift & 0xFF) / 255 }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  /// The colour as `#RRGGBB`, without the opacity.
  package var text: String {
    let values = components ?? [0, 1]
    let parts = values.count == 2 ? [values[0], values[0], values[0]] : Array(values.prefix(3))
    let digits = parts.map { part -> String in
      let byte = part.isFinite ? Int((min(1, max(0, part)) * 255).rounded()) : 0
      return (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "#" + digits.joined()
  }

  /// The color in which a calendar without one is shown.
  ///
  /// - Parameter identifier: The identifier of the calendar.
  /// - Returns: The color, which depends on nothing else.
  static func shown(for identifier: String) -> CGColor {
    let palette = ["#D9534F", "#E08E0B", "#C9A800", "#4C9A2A", "#1F8FA8", "#3B6FC9", "#8E5BB5"]
    let number = identifier.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    return CGColor(text: palette[number % palette.count]) ?? .black
  }
}
