// SPDX-License-Identifier: Apache-2.0

/// A colour space: sRGB or shades of gray.
public final class CGColorSpace: Hashable, Sendable {
  /// The name of the sRGB space.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// The name of the space of gray shades with a gamma of 2.2.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"

  /// Whether the components are red, green and blue, and not a brightness.
  let isRGB: Bool

  /// Creates the space of a name, or returns nil if the name is unknown.
  ///
  /// - Parameter name: The name, such as `CGColorSpace.sRGB`.
  public convenience init?(name: String) {
    switch name {
    case CGColorSpace.sRGB: self.init(isRGB: true)
    case CGColorSpace.genericGrayGamma2_2: self.init(isRGB: false)
    default: return nil
    }
  }

  /// Creates one of the two spaces.
  init(isRGB: Bool) {
    self.isRGB = isRGB
  }

  /// The name of the space.
  public var name: String? { isRGB ? CGColorSpace.sRGB : CGColorSpace.genericGrayGamma2_2 }

  /// The model of the components.
  public var model: CGColorSpaceModel { isRGB ? .rgb : .monochrome }

  /// The number of components, without alpha.
  public var numberOfComponents: Int { isRGB ? 3 : 1 }

  /// Whether two spaces have the same name.
  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
    left.name == right.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the space of a display for red, green and blue, which is sRGB here.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(isRGB: true) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the space of a display for shades of gray, which has a gamma of 2.2 here.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(isRGB: false) }

/// The model of the components of a colour space; only `rgb` and `monochrome` occur here.
public enum CGColorSpaceModel: Int32, Sendable {
  /// Another model.
  case unknown = -1
  /// One component, the brightness.
  case monochrome = 0
  /// Red, green and blue.
  case rgb = 1
  /// Cyan, magenta, yellow and black.
  case cmyk = 2
  /// The brightness and two differences of colours.
  case lab = 3
  /// The components of a device.
  case deviceN = 4
  /// The place in a table of colours.
  case indexed = 5
  /// A pattern.
  case pattern = 6
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The tristimulus values of CIE 1931.
  case XYZ = 7
}

/// The treatment of colours that a space does not hold.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// The default of the context.
  case defaultIntent = 0
  /// Colours outside of the gamut go to the closest of it.
  case absoluteColorimetric = 1
  /// Colours outside of the gamut go to the closest of it, and white to white.
  case relativeColorimetric = 2
  /// The relations between colours are kept.
  case perceptual = 3
  /// The saturation is kept.
  case saturation = 4
}
