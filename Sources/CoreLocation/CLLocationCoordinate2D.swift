// SPDX-License-Identifier: Apache-2.0

/// A latitude or longitude in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A radius of uncertainty in metres.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second.
public typealias CLLocationSpeed = Double
/// A direction in degrees from the north.
public typealias CLLocationDirection = Double

/// A position on the earth (WGS 84).
public struct CLLocationCoordinate2D: Sendable {
  /// The latitude in degrees, from -90 through 90.
  public var latitude: CLLocationDegrees
  /// The longitude in degrees, from -180 through 180.
  public var longitude: CLLocationDegrees

  /// Creates a position at 0°, 0°.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// Creates a position.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A position that is not valid.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Creates a position.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns whether the latitude and the longitude are in range.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}
