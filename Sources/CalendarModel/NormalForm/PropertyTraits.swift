// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The traits of a property for the normal form, in addition to its row in `PropertyTable`.
package struct PropertyTraits: Sendable {
  /// Whether it is metadata about the file's creation, without influence on the meaning.
  fileprivate(set) var isIgnored = false
  /// The default value of the property (RFC 5545 §3.8).
  fileprivate(set) var standard: [UInt8]?
  /// Whether its values are words of a fixed list, in any case (RFC 5545 §2).
  fileprivate(set) var isWord = false
  /// Whether its times identify occurrences of the component's series.
  fileprivate(set) var namesOccurrences = false
  /// Whether it states the end of a component, which is read together with other properties.
  fileprivate(set) var isEnd = false
  /// Whether its value is a single text without a default or fixed words.
  fileprivate(set) var isPlain = false

  /// The properties with metadata about the file's creation.
  package static let ignored: [PropertyName] = [
    .dtStamp, .lastModified, .created, .productID, .method, .version, .calscale,
  ]
  /// The default values; STATUS has none.
  ///
  /// See RFC 5545 §3.8.1.3, §3.8.1.9, §3.8.2.7, §3.8.6.2, §3.8.7.4 and RFC 7953 §3.2.
  package static let standards: [(PropertyName, String)] = [
    (.classification, "PUBLIC"), (.transparency, "OPAQUE"), (.sequence, "0"), (.priority, "0"),
    (.repeatCount, "0"), (.busyType, "BUSY-UNAVAILABLE"),
  ]
  /// The properties with words in any case.
  package static let words: [PropertyName] = [
    .classification, .status, .transparency, .action, .busyType, .color, .proximity,
    .participantType, .resourceType, .locationType,
  ]

  /// The traits of known properties, in the order of `PropertyTable.rows`.
  ///
  /// The index makes the lookup cheap; it runs for every property of every item.
  static let all: [PropertyTraits] = PropertyTable.rows.map { row in
    let name = PropertyName(row.name)
    var traits = PropertyTraits()
    traits.isIgnored = ignored.contains(name)
    traits.standard = standards.first { $0.0 == name }.map { Array($0.1.utf8) }
    traits.isWord = words.contains(name)
    traits.namesOccurrences = [.exDate, .rDate, .recurrenceID].contains(name)
    traits.isEnd = [.dtEnd, .due, .duration].contains(name)
    traits.isPlain =
      row.valueType == .text && row.separator == nil && !traits.isWord && traits.standard == nil
    return traits
  }

  /// Whether an unknown property is residue that other programs leave in files.
  ///
  /// The calendar name X-WR-CALNAME is valid in a calendar only.
  static func isLeftBehind(_ canonicalName: String, in component: ComponentSet) -> Bool {
    canonicalName.hasPrefix("X-LIC-")
      || canonicalName == "X-WR-CALNAME" && component != ComponentSet(.calendar)
  }
}
