// SPDX-License-Identifier: Apache-2.0

/// Writes components in their canonical form, see `Serializer.Form.canonical`.
///
/// Properties are sorted before they are written, by keys of their names; only those of one name, and
/// nested components, are sorted by their bytes, after they were written. So nearly every byte is
/// copied once, from where it was read to where it is written.
struct CanonicalWriter {
  /// A property to be written: the first letters of its name, and its place.
  private struct Entry: BitwiseCopyable {
    let key: UInt64
    let index: Int
  }

  /// The most properties that are sorted by insertion.
  private static let insertionLimit = 40

  private var lines = CanonicalLineWriter()
  /// The properties of the component that is being written, kept for its room.
  private var entries: [Entry] = []
  /// Where the UIDs begin of the properties that were written last.
  private var uid: Int?

  /// Appends a component with all that is nested in it.
  mutating func write(_ component: Component, to bytes: inout [UInt8]) {
    let name = component.name.canonicalName
    Self.write("BEGIN:", name, to: &bytes)
    writeAll(component.properties, to: &bytes)
    let uid = uid
    let nested = component.components
    if !nested.isEmpty { writeSorted(nested, to: &bytes) }
    self.uid = uid
    Self.write("END:", name, to: &bytes)
  }

  /// Appends a property.
  mutating func write(_ property: Property, to bytes: inout [UInt8]) {
    PropertyList([property]).write(at: 0, with: &lines, to: &bytes)
  }

  /// Appends properties in their canonical order.
  mutating func writeAll(_ properties: PropertyList, to bytes: inout [UInt8]) {
    uid = nil
    if let records = properties.records {
      writeSorted(CanonicalRecords(records.block, records.lines), to: &bytes)
    } else {
      writeSorted(properties, to: &bytes)
    }
  }

  /// Appends the BEGIN or END line of a component.
  static func write(_ keyword: String, _ name: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(copying: keyword.utf8.span)
    bytes.append(copying: name.utf8.span)
    LineFolder.finishLine(from: start, in: &bytes)
  }

  private mutating func writeSorted(_ components: ComponentList, to bytes: inout [UInt8]) {
    var pieces: [WrittenPiece] = []
    pieces.reserveCapacity(components.count)
    for component in components {
      let start = bytes.count
      write(component, to: &bytes)
      pieces.append(
        WrittenPiece(
          start..<bytes.count, name: component.name.canonicalName, uid: uid, in: bytes.span))
    }
    WrittenPiece.sort(pieces, in: &bytes)
  }

  private mutating func writeSorted(
    _ source: some CanonicalSource, to bytes: inout [UInt8]
  ) {
    sortEntries(of: source)
    let count = source.count
    var index = 0
    while index < count {
      let entry = entries[index]
      let start = bytes.count
      source.write(at: entry.index, with: &lines, to: &bytes)
      if uid == nil, source.isUID(at: entry.index) { uid = start }
      index += 1
      guard index < count, isSameName(entries[index], entry, source) else { continue }
      var pieces = [WrittenPiece(start..<bytes.count)]
      repeat {
        let start = bytes.count
        source.write(at: entries[index].index, with: &lines, to: &bytes)
        pieces.append(WrittenPiece(start..<bytes.count))
        index += 1
      } while index < count && isSameName(entries[index], entry, source)
      WrittenPiece.sort(pieces, in: &bytes)
    }
  }

  private mutating func sortEntries(of source: some CanonicalSource) {
    let rules = lines.rules
    entries.removeAll(keepingCapacity: true)
    for index in 0..<source.count {
      entries.append(Entry(key: source.key(at: index, rules).first, index: index))
    }
    guard entries.count <= Self.insertionLimit else {
      entries.sort { Self.precedes($0, $1, source, rules) }
      return
    }
    var sorted = entries.mutableSpan
    for index in 0..<sorted.count {
      let entry = sorted[index]
      var place = index
      while place > 0, Self.precedes(entry, sorted[place &- 1], source, rules) {
        sorted[place] = sorted[place &- 1]
        place &-= 1
      }
      sorted[place] = entry
    }
  }

  @inline(__always)
  private static func precedes(
    _ left: Entry, _ right: Entry, _ source: some CanonicalSource, _ rules: [CanonicalRule]
  ) -> Bool {
    guard left.key == right.key else { return left.key < right.key }
    return precedesByRest(left, right, source, rules)
  }

  /// Whether a property comes before another one whose name begins with the same letters.
  private static func precedesByRest(
    _ left: Entry, _ right: Entry, _ source: some CanonicalSource, _ rules: [CanonicalRule]
  ) -> Bool {
    let leftKey = source.key(at: left.index, rules)
    let rightKey = source.key(at: right.index, rules)
    guard leftKey == rightKey else { return leftKey < rightKey }
    guard leftKey.isCut else { return left.index < right.index }
    let (leftName, rightName) = (source.name(at: left.index), source.name(at: right.index))
    return leftName == rightName
      ? left.index < right.index : leftName.lexicographicallyPrecedes(rightName)
  }

  /// Whether two properties have the same name; lines that are no content lines have none.
  private func isSameName(
    _ left: Entry, _ right: Entry, _ source: some CanonicalSource
  ) -> Bool {
    guard left.key == right.key, left.key != CanonicalKey.malformed.first else { return false }
    let key = source.key(at: left.index, lines.rules)
    return key == source.key(at: right.index, lines.rules)
      && (!key.isCut || source.name(at: left.index) == source.name(at: right.index))
  }
}
