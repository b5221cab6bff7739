// SPDX-License-Identifier: Apache-2.0

/// A geographic position (RFC 5545 §3.8.1.6).
public struct GeoPoint: Hashable, Sendable {
  /// The latitude in degrees, from -90 through 90; positive in the north.
  public var latitude: Double
  /// The longitude in degrees, from -180 through 180; positive in the east.
  public var longitude: Double

  /// Creates a position, or returns nil if a coordinate is out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
