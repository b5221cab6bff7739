// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
public import CoreLocation
public import Foundation

/// A location with a title, and optionally a position and a radius.
open class EKStructuredLocation: EKObject, NSCopying, @unchecked Sendable {
  /// The values for comparing and writing.
  package struct Value: Hashable, Sendable {
    package var title: String?
    package var position: GeoPoint?
    /// The radius in metres, or 0 for the default.
    package var radius = 0.0
  }

  private struct Fields {
    var title: String?
    var geoLocation: CLLocation?
    var radius = 0.0
  }

  private var fields: Fields

  /// Creates a location with a title.
  public init(title: String) {
    fields = Fields(title: title)
    super.init()
  }

  /// Creates a location without a title.
  public convenience init() {
    self.init(Fields())
  }

  // The public initializer is the designated one, so that subclasses inherit it.
  private convenience init(_ fields: Fields) {
    self.init(title: "")
    self.fields = fields
  }

  /// Creates the object for a location of a file.
  package convenience init(_ value: Value) {
    self.init(
      Fields(
        title: value.title,
        geoLocation: value.position.map {
          CLLocation(latitude: $0.latitude, longitude: $0.longitude)
        }, radius: value.radius))
  }

  /// Creates a copy of a location.
  convenience init(_ other: EKStructuredLocation) {
    self.init(other.lock.withLock { other.fields })
  }

  /// The title.
  open var title: String? {
    get { lock.withLock { fields.title } }
    set { lock.withLock { fields.title = newValue } }
  }

  /// The position; nil if it is unknown.
  open var geoLocation: CLLocation? {
    get { lock.withLock { fields.geoLocation } }
    set { lock.withLock { fields.geoLocation = newValue } }
  }

  /// The radius in metres for alarms on arrival or departure; 0 for the default.
  open var radius: Double {
    get { lock.withLock { fields.radius } }
    set { lock.withLock { fields.radius = newValue } }
  }

  /// A new location with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    EKStructuredLocation(self)
  }

  /// Whether an object is a location with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKStructuredLocation).map { value == $0.value } ?? false
  }

  /// A hash of the values.
  open override var hash: Int { value.hashValue }

  /// The title and the position, for debugging.
  open override var description: String {
    let value = value
    let position = value.position.map { " at \($0.latitude), \($0.longitude)" } ?? ""
    return "EKStructuredLocation \(value.title ?? "without a title")\(position)"
  }

  /// The values for comparing and writing; a position out of range is omitted.
  package var value: Value {
    lock.withLock {
      Value(
        title: fields.title,
        position: fields.geoLocation.flatMap {
          GeoPoint(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
        }, radius: fields.radius)
    }
  }
}
