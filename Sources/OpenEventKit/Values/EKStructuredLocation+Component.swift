// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Foundation
package import ICalSyntax

// Three forms of a location in a file, from the most to the least exact:
//
//   X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE=Harbour:geo:54.1,13.4
//   BEGIN:VLOCATION … NAME:Harbour … URL:geo:54.1,13.4;u=70 … END:VLOCATION     (RFC 9073 §7.2)
//   LOCATION:Harbour and GEO:54.1;13.4                                         (RFC 5545)

extension PropertyName {
  /// The location with a position, of Apple's programs.
  static let appleLocation: PropertyName = "X-APPLE-STRUCTURED-LOCATION"
  /// The proximity of an alarm, of Apple's programs.
  static let appleProximity: PropertyName = "X-APPLE-PROXIMITY"
}

extension EKStructuredLocation.Value {
  /// Reads the location of an event or a reminder; nil if it has none.
  package init?(of item: Component) {
    let text = item[.location]?.text
    if let property = item[.appleLocation] {
      self.init(apple: property)
      title = title ?? text
      return
    }
    guard let text, !text.isEmpty else { return nil }
    self.init(title: text)
    position = item[.geo].flatMap { property in
      let numbers = property.rawValue.split(separator: ";").map { Double($0) }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
        return nil
      }
      return GeoPoint(latitude: latitude, longitude: longitude)
    }
  }

  /// Reads a property of Apple's programs.
  init(apple property: Property) {
    let geo = GeoURI(property.rawValue)
    self.init(
      title: property["X-TITLE"], position: geo?.position,
      radius: property["X-APPLE-RADIUS"].flatMap { Double($0) } ?? geo?.uncertainty ?? 0)
  }

  /// Reads a structured location (RFC 9073 §7.2).
  init(_ location: StructuredLocation) {
    let geo = location.url.flatMap { GeoURI($0) }
    self.init(
      title: location.name, position: geo?.position ?? location.geo,
      radius: geo?.uncertainty ?? 0)
  }

  /// Writes the location of an event or a reminder, unless the component has it already.
  ///
  /// A changed title or position removes what Apple's programs store about the old place, such as
  /// its street.
  ///
  /// - Parameters:
  ///   - location: The location; nil removes it.
  ///   - item: The component.
  package static func write(_ location: Self?, to item: inout Component) {
    let old = Self(of: item)
    guard location != old else { return }
    if location?.title != old?.title {
      item[.location] = location?.title.map { Property(.location, text: $0) }
    }
    // A text alone has no form of Apple's.
    let isPlain = location?.position == nil && location?.radius ?? 0 == 0
    if location?.position != old?.position {
      item[.geo] = location?.position.map {
        Property(.geo, rawValue: "\(Self.decimal($0.latitude));\(Self.decimal($0.longitude))")
      }
    }
    item[.appleLocation] = isPlain ? nil : location?.apple(instead: item[.appleLocation], of: old)
  }

  /// The property of Apple's programs.
  ///
  /// - Parameters:
  ///   - property: The property that it replaces.
  ///   - old: The location before.
  /// - Returns: The property.
  func apple(instead property: Property?, of old: Self?) -> Property {
    let isSamePlace = title == old?.title && position == old?.position
    let uri = Parameter("VALUE", "URI")
    var result =
      isSamePlace
      ? property ?? Property(.appleLocation, rawValue: "", parameters: [uri])
      : Property(.appleLocation, rawValue: "", parameters: [uri])
    result["X-APPLE-RADIUS"] = radius > 0 ? Self.decimal(radius) : nil
    result["X-TITLE"] = title
    if let position { result.rawValue = GeoURI(position).text }
    return result
  }

  /// The structured location with the same values (RFC 9073 §7.2).
  ///
  /// A UID is required. Without one in the file, it is made of the values.
  ///
  /// - Parameter old: The structured location that it replaces.
  /// - Returns: The structured location.
  func model(instead old: StructuredLocation?) -> StructuredLocation {
    var location = old ?? StructuredLocation()
    let uncertainty = radius > 0 ? radius : nil
    location.name = title
    location.geo = nil
    location.url = position.map { GeoURI($0, uncertainty: uncertainty).text }
    let id = StableIdentifier(of: "location", title ?? "", location.url ?? "")
    location.uid = location.uid ?? UID(id.text)
    return location
  }

  /// A number without an exponent, which the grammars of GEO and of `geo:` do not have.
  fileprivate static func decimal(_ number: Double) -> String {
    let text = "\(number)"
    guard text.contains("e") else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let digits = String(format: "%.10f", number).reversed().drop { $0 == "0" }
    return String(digits.drop { $0 == "." }.reversed())
  }
}

/// A `geo:` URI (RFC 5870).
private struct GeoURI {
  let position: GeoPoint
  /// The radius in metres within which the place is: the parameter `u`.
  let uncertainty: Double?

  init(_ position: GeoPoint, uncertainty: Double? = nil) {
    self.position = position
    self.uncertainty = uncertainty
  }

  /// Reads a URI, also with a superfluous colon in front; nil for other texts.
  init?(_ text: String) {
    let parts = text.drop { $0 == ":" }.split(separator: ";")
    guard let first = parts.first, first.lowercased().hasPrefix("geo:") else { return nil }
    let numbers = first.dropFirst(4).split(separator: ",").map { Double($0) }
    guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1],
      let position = GeoPoint(latitude: latitude, longitude: longitude)
    else { return nil }
    self.position = position
    uncertainty = parts.dropFirst().first { $0.lowercased().hasPrefix("u=") }
      .flatMap { Double($0.dropFirst(2)) }
  }

  var text: String {
    let latitude = EKStructuredLocation.Value.decimal(position.latitude)
    let longitude = EKStructuredLocation.Value.decimal(position.longitude)
    let radius = uncertainty.map { ";u=\(EKStructuredLocation.Value.decimal($0))" } ?? ""
    return "geo:\(latitude),\(longitude)\(radius)"
  }
}

extension EKStructuredLocation {
  /// Creates the object for the location of an event or a reminder; nil if it has none.
  package convenience init?(of item: Component) {
    guard let value = Value(of: item) else { return nil }
    self.init(value)
  }
}
