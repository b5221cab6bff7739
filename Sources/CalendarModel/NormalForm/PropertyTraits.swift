// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// What the normal form has to know of a property beside its row in `PropertyTable`.
package struct PropertyTraits: Sendable {
  /// Whether it says when or by what an item was written, not what it means.
  fileprivate(set) var isIgnored = false
  /// The value that the property has where it is left out (RFC 5545 §3.8).
  fileprivate(set) var standard: [UInt8]?
  /// Whether its texts are words of a fixed list, in whatever case (RFC 5545 §2).
  fileprivate(set) var isWord = false
  /// Whether its times name occurrences of the series that it stands in.
  fileprivate(set) var namesOccurrences = false
  /// Whether it says when a component ends, and so is read with others.
  fileprivate(set) var isEnd = false
  /// Whether it is one text, in whatever words.
  fileprivate(set) var isPlain = false

  /// Properties that say when or by what an item was written.
  package static let ignored: [PropertyName] = [
    .dtStamp, .lastModified, .created, .productID, .method, .version, .calscale,
  ]
  /// Values that go without saying; STATUS has none.
  ///
  /// See RFC 5545 §3.8.1.3, §3.8.1.9, §3.8.2.7, §3.8.6.2, §3.8.7.4 and RFC 7953 §3.2.
  package static let standards: [(PropertyName, String)] = [
    (.classification, "PUBLIC"), (.transparency, "OPAQUE"), (.sequence, "0"), (.priority, "0"),
    (.repeatCount, "0"), (.busyType, "BUSY-UNAVAILABLE"),
  ]
  /// Properties whose texts are words, in whatever case.
  package static let words: [PropertyName] = [
    .classification, .status, .transparency, .action, .busyType, .color, .proximity,
    .participantType, .resourceType, .locationType,
  ]

  /// The traits of the properties that have a row, in the order of their rows: every property of
  /// every item is looked up here, and by number that costs next to nothing.
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

  /// Whether a property that has no row is one that programs leave behind in files that they did not
  /// make; the name of a calendar is at home in a calendar alone.
  static func isLeftBehind(_ canonicalName: String, in component: ComponentSet) -> Bool {
    canonicalName.hasPrefix("X-LIC-")
      || canonicalName == "X-WR-CALNAME" && component != ComponentSet(.calendar)
  }
}
