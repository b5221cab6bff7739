// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A colour: red, green, blue and alpha, or gray and alpha, each from 0 through 1.
///
/// It stands for the class of Core Graphics, as far as programs use it with calendars.
public final class CGColor: Hashable, Sendable, CustomStringConvertible {
  private let values: [CGFloat]

  /// Creates a colour of the sRGB space.
  ///
  /// - Parameters:
  ///   - red: The red component, from 0 through 1.
  ///   - green: The green component, from 0 through 1.
  ///   - blue: The blue component, from 0 through 1.
  ///   - alpha: The opacity, from 0 through 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    values = [red, green, blue, alpha]
  }

  /// Creates a colour of the sRGB space.
  ///
  /// - Parameters:
  ///   - red: The red component, from 0 through 1.
  ///   - green: The green component, from 0 through 1.
  ///   - blue: The blue component, from 0 through 1.
  ///   - alpha: The opacity, from 0 through 1.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Creates a shade of gray.
  ///
  /// - Parameters:
  ///   - gray: The brightness, from 0 through 1.
  ///   - alpha: The opacity, from 0 through 1.
  public init(gray: CGFloat, alpha: CGFloat) {
    values = [gray, alpha]
  }

  /// Black.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// White.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// A colour that is not visible.
  public static let clear = CGColor(gray: 0, alpha: 0)

  /// The components: red, green, blue and alpha, or gray and alpha.
  public var components: [CGFloat]? { values }

  /// The number of components, with alpha.
  public var numberOfComponents: Int { values.count }

  /// The opacity.
  public var alpha: CGFloat { values.last ?? 1 }

  /// Returns the colour with another opacity.
  ///
  /// - Parameter alpha: The opacity, from 0 through 1.
  /// - Returns: The colour, or nil if it has no components.
  public func copy(alpha: CGFloat) -> CGColor? {
    values.count == 2
      ? CGColor(gray: values[0], alpha: alpha)
      : CGColor(red: values[0], green: values[1], blue: values[2], alpha: alpha)
  }

  /// Whether two colours have the same components.
  public static func == (left: CGColor, right: CGColor) -> Bool { left.values == right.values }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }

  /// The components, for debugging.
  public var description: String {
    "CGColor(\(values.map { "\($0)" }.joined(separator: ", ")))"
  }
}

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
    let parts = values.count == 2 ? [values[0], values[0], values[0]] : Array(values.prefix(3))
    let digits = parts.map { part -> String in
      let byte = part.isFinite ? Int((min(1, max(0, part)) * 255).rounded()) : 0
      return (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "#" + digits.joined()
  }
}
