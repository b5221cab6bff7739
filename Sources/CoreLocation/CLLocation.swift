// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation

/// A latitude or longitude in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double

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

/// A location: a position on the earth.
open class CLLocation: NSObject, @unchecked Sendable {
  /// The position.
  public let coordinate: CLLocationCoordinate2D

  /// Creates the location at a position.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }
}
