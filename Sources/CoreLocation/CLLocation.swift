// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation

/// A location: a position on the earth, with what is known about it.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The position.
  public let coordinate: CLLocationCoordinate2D
  /// The height above the sea level, in metres.
  public let altitude: CLLocationDistance
  /// The radius in metres within which the position is; negative if the position is invalid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The uncertainty of the altitude in metres; negative if the altitude is invalid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of the movement in degrees from the north; negative if it is unknown.
  public let course: CLLocationDirection
  /// The speed in metres per second; negative if it is unknown.
  public let speed: CLLocationSpeed
  /// The time at which the location was determined.
  public let timestamp: Date

  /// Creates the location at a position, with an unknown altitude.
  ///
  /// - Parameters:
  ///   - latitude: The latitude in degrees.
  ///   - longitude: The longitude in degrees.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: now())
  }

  /// Creates a location that does not move.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - altitude: The height above the sea level, in metres.
  ///   - horizontalAccuracy: The radius in metres within which the position is.
  ///   - verticalAccuracy: The uncertainty of the altitude in metres.
  ///   - timestamp: The time at which the location was determined.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// Creates a location that moves.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - altitude: The height above the sea level, in metres.
  ///   - horizontalAccuracy: The radius in metres within which the position is.
  ///   - verticalAccuracy: The uncertainty of the altitude in metres.
  ///   - course: The direction of the movement in degrees from the north.
  ///   - speed: The speed in metres per second.
  ///   - timestamp: The time at which the location was determined.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.speed = speed
    self.timestamp = timestamp
  }

  /// Reads a location from an archive; nil if the archive has no position.
  public required init?(coder: NSCoder) {
    func number(_ key: String) -> Double { coder.decodeDouble(forKey: key) }
    guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude") else {
      return nil
    }
    coordinate = CLLocationCoordinate2D(
      latitude: number("latitude"), longitude: number("longitude"))
    altitude = number("altitude")
    horizontalAccuracy = number("horizontalAccuracy")
    verticalAccuracy = number("verticalAccuracy")
    course = number("course")
    speed = number("speed")
    timestamp = Date(timeIntervalSinceReferenceDate: number("timestamp"))
  }

  /// Whether locations can be archived securely: true.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the location to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(altitude, forKey: "altitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
    coder.encode(course, forKey: "course")
    coder.encode(speed, forKey: "speed")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }

  /// The location itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns the distance to another location along the surface of the earth, in metres.
  ///
  /// The earth counts as a sphere with the mean radius, so that the result is exact to 0.5 percent.
  ///
  /// - Parameter location: The other location.
  /// - Returns: The distance in metres.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    func radians(_ degrees: CLLocationDegrees) -> Double { degrees * .pi / 180 }
    let (here, there) = (coordinate, location.coordinate)
    let north = sin(radians(there.latitude - here.latitude) / 2)
    let east = sin(radians(there.longitude - here.longitude) / 2)
    let square =
      north * north
      + cos(radians(here.latitude)) * cos(radians(there.latitude)) * east * east
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }

  /// The position, for debugging.
  open override var description: String {
    "<\(coordinate.latitude), \(coordinate.longitude)> ± \(horizontalAccuracy) m"
  }
}

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
