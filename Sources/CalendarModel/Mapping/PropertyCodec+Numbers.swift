// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension PropertyCodec where Value == Int {
  /// An integer in a range (RFC 5545 §3.3.8).
  static func integer(_ range: ClosedRange<Int>) -> PropertyCodec {
    PropertyCodec(
      read: { property, diagnostics in
        if let number = property.usualInteger, range.contains(number) { return number }
        guard case .integer(let number)? = property.typedValue(&diagnostics) else { return nil }
        if range.contains(number) { return number }
        property.reportValue(
          expected: "a number from \(range.lowerBound) through \(range.upperBound)",
          property.reference, to: &diagnostics)
        return nil
      },
      edit: { $1.set(rawValue: String($0)) })
  }
}

extension PropertyCodec where Value == GeoPoint {
  /// A geographic position (RFC 5545 §3.8.1.6).
  static let geo = PropertyCodec(
    read: { property, diagnostics in
      let typed = property.typedValues
      property.report(typed, to: &diagnostics)
      if typed.values.count == 2, case .float(let latitude) = typed.values[0],
        case .float(let longitude) = typed.values[1],
        let point = GeoPoint(latitude: latitude, longitude: longitude)
      {
        return point
      }
      guard typed.problems.isEmpty else { return nil }
      property.reportValue(
        expected: "a latitude from -90 through 90, \";\" and a longitude from -180 through 180",
        property.reference, to: &diagnostics)
      return nil
    },
    edit: { $1.set(rawValue: "\($0.latitude);\($0.longitude)") })
}
