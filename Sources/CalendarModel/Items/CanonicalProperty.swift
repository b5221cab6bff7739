// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The canonical form of a property: what it says, however it is spelled.
enum CanonicalProperty {
  /// Properties that say when and by what an item was written, not what it means.
  private static let ignored: Set<PropertyName> = [
    .dtStamp, .lastModified, .created, .productID, .method, .version, .calscale, "X-WR-CALNAME",
  ]

  /// Values that a property has where it is left out (RFC 5545 §3.8).
  private static let defaults: [PropertyName: String] = [
    .classification: "PUBLIC", .transparency: "OPAQUE", .sequence: "0", .priority: "0",
  ]

  /// Values that a parameter has where it is left out (RFC 5545 §3.2, RFC 6638 §7.1).
  private static let parameterDefaults: [ParameterName: String] = [
    .calendarUserType: "INDIVIDUAL", .encoding: "8BIT", .freeBusyType: "BUSY",
    .participationStatus: "NEEDS-ACTION", .related: "START", .relationshipType: "PARENT",
    .role: "REQ-PARTICIPANT", .rsvp: "FALSE", .scheduleAgent: "SERVER",
  ]

  /// Parameters whose values are words of a fixed list, in whatever case (RFC 5545 §2).
  private static let wordParameters: Set<ParameterName> = [
    .value, .range, .display, .feature, .scheduleForceSend,
  ]

  /// Parameters whose values are calendar addresses.
  private static let addressParameters: Set<ParameterName> = [
    .delegatedFrom, .delegatedTo, .member, .sentBy,
  ]

  /// The canonical forms of a property: one for each value of a list, none for what is ignored.
  static func encodings(of property: Property) -> [[UInt8]] {
    let name = property.name
    guard !ignored.contains(name), !name.canonicalName.hasPrefix("X-LIC-") else { return [] }
    let row = PropertyTable.row(for: name)
    let type = valueType(of: property, row)
    let parameters = encodings(of: property.parameters, row)
    var encodings: [[UInt8]] = []
    for value in CanonicalValue.values(of: property, type: type, row) {
      if let standard = defaults[name], value == [Array(standard.utf8)] { continue }
      var form = CanonicalForm()
      form.append(name.canonicalName)
      form.append(list: parameters)
      form.append(list: value)
      encodings.append(form.bytes)
    }
    return encodings
  }

  private static func valueType(of property: Property, _ row: PropertyTable.Row?) -> ValueType {
    guard let named = property[.value] else { return row?.valueType ?? .unknown }
    return ValueType(rawValue: named.asciiUppercased) ?? .unknown
  }

  private static func encodings(
    of parameters: [Parameter], _ row: PropertyTable.Row?
  ) -> [[UInt8]] {
    var encodings: [[UInt8]] = []
    for parameter in parameters {
      let name = parameter.name
      let standard = name == .value ? row?.valueType.rawValue : parameterDefaults[name]
      let isWord = standard != nil || wordParameters.contains(name)
      let values = parameter.values.map { value in
        if isWord { return value.asciiUppercased }
        return addressParameters.contains(name) ? value.lowercased() : value
      }
      if let standard, values == [standard] { continue }
      var form = CanonicalForm()
      form.append(name.canonicalName)
      form.append(list: values.map { Array($0.utf8) }.sorted(by: CanonicalForm.precedes))
      encodings.append(form.bytes)
    }
    return encodings.sorted(by: CanonicalForm.precedes)
  }
}
