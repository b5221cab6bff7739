// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A colour: red, green, blue and alpha, or gray and alpha, each from 0 through 1.
///
/// It is the class of Core Graphics, as far as programs use it with calendars.
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

  /// Creates a colour of a space, or returns nil if there are too few components.
  ///
  /// - Parameters:
  ///   - space: The space of the components.
  ///   - components: The components of the space, each from 0 through 1, and the opacity.
  public convenience init?(colorSpace space: CGColorSpace, components: [CGFloat]) {
    guard components.count > space.numberOfComponents else { return nil }
    if space.isRGB {
      self.init(
        red: components[0], green: components[1], blue: components[2], alpha: components[3])
    } else {
      self.init(gray: components[0], alpha: components[1])
    }
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

  /// The space of the components.
  public var colorSpace: CGColorSpace? {
    CGColorSpace(name: values.count == 2 ? CGColorSpace.genericGrayGamma2_2 : CGColorSpace.sRGB)
  }

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

  /// Returns the colour in another space.
  ///
  /// - Parameters:
  ///   - space: The space.
  ///   - intent: The treatment of colours that the space does not hold; both spaces hold all.
  ///   - options: The options of a conversion, of which there are none.
  /// - Returns: The colour, or nil if it can't be converted.
  public func converted(
    to space: CGColorSpace, intent: CGColorRenderingIntent, options: [String: Any]?
  ) -> CGColor? {
    guard space.numberOfComponents + 1 != values.count else { return self }
    guard !space.isRGB else {
      return CGColor(red: values[0], green: values[0], blue: values[0], alpha: alpha)
    }
    let luminance = 0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2]
    return CGColor(gray: luminance, alpha: alpha)
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
