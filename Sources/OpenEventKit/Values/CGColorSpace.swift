// SPDX-License-Identifier: Apache-2.0

/// A colour space: sRGB or shades of gray.
public final class CGColorSpace: Hashable, Sendable {
  /// The name of the sRGB space.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// The name of the space of gray shades with a gamma of 2.2.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"

  /// The name of the space.
  public let name: String?
  /// The model of the components.
  public let model: CGColorSpaceModel

  /// Creates the space of a name, or returns nil if the name is unknown.
  ///
  /// - Parameter name: The name, such as `CGColorSpace.sRGB`.
  public init?(name: String) {
    switch name {
    case CGColorSpace.sRGB: model = .rgb
    case CGColorSpace.genericGrayGamma2_2: model = .monochrome
    default: return nil
    }
    self.name = name
  }

  /// The number of components, without alpha.
  public var numberOfComponents: Int { model == .rgb ? 3 : 1 }

  /// Whether two spaces have the same name.
  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
    left.name == right.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

/// The model of the components of a colour space.
public enum CGColorSpaceModel: Int32, Sendable {
  /// One component, the brightness.
  case monochrome = 0
  /// Red, green and blue.
  case rgb = 1
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
