// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The canonical form of a property: what it says, however it is spelled.
enum CanonicalProperty {
  /// What the canonical form has to know of a property beside its row in `PropertyTable`.
  private struct Traits {
    /// Whether it says when or by what an item was written, not what it means.
    var isIgnored = false
    /// The value that the property has where it is left out (RFC 5545 §3.8).
    var standard: [UInt8]?
    /// Whether its texts are words of a fixed list, in whatever case (RFC 5545 §2).
    var isWord = false
  }

  private static let ignored: [PropertyName] = [
    .dtStamp, .lastModified, .created, .productID, .method, .version, .calscale,
  ]
  private static let standards: [(PropertyName, String)] = [
    (.classification, "PUBLIC"), (.transparency, "OPAQUE"), (.sequence, "0"), (.priority, "0"),
  ]
  private static let words: [PropertyName] = [
    .classification, .status, .transparency, .action, .busyType,
  ]

  /// The traits of the properties that have a row, in the order of their rows: every property of
  /// every item is looked up here, and by number that costs next to nothing.
  private static let traits: [Traits] = PropertyTable.rows.map { row in
    let name = PropertyName(row.name)
    var traits = Traits()
    traits.isIgnored = ignored.contains(name)
    traits.standard = standards.first { $0.0 == name }.map { Array($0.1.utf8) }
    traits.isWord = words.contains(name)
    return traits
  }

  /// Appends the canonical forms of a property, and where each is: one for each value of a list, none
  /// for what is ignored.
  static func append(
    _ property: Property, to form: inout CanonicalForm, ranges: inout [Range<Int>]
  ) {
    let name = property.name
    let traits = name.index.map { Self.traits[$0] } ?? Traits()
    let canonicalName = name.canonicalName
    guard !traits.isIgnored, name.index != nil || !isLeftBehind(canonicalName) else { return }
    let row = PropertyTable.row(for: name)
    let all = property.parameters
    let parameters = CanonicalParameter.forms(of: all, defaultType: row?.valueType)
    let values = CanonicalValue(valueType(all, row), row?.separator, isWord: traits.isWord)
    if values.areBytes {
      let start = form.bytes.count
      form.append(canonicalName)
      form.append(list: parameters)
      form.append(count: 1)
      property.withValue { form.append($0) }
      return ranges.append(start..<form.bytes.count)
    }
    for value in values.of(property) {
      if let standard = traits.standard, value == [standard] { continue }
      let start = form.bytes.count
      form.append(canonicalName)
      form.append(list: parameters)
      form.append(list: value)
      ranges.append(start..<form.bytes.count)
    }
  }

  /// Whether the property is one that programs leave behind in files that they did not make.
  private static func isLeftBehind(_ canonicalName: String) -> Bool {
    canonicalName.hasPrefix("X-LIC-") || canonicalName == "X-WR-CALNAME"
  }

  private static func valueType(
    _ parameters: [Parameter], _ row: PropertyTable.Row?
  ) -> ValueType {
    guard let named = parameters.first(where: { $0.name == .value })?.value else {
      return row?.valueType ?? .unknown
    }
    return ValueType(rawValue: named.asciiUppercased) ?? .unknown
  }
}
