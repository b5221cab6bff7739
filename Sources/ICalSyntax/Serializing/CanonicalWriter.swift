// SPDX-License-Identifier: Apache-2.0

/// Writes components in their canonical form, see `Serializer.Form.canonical`.
///
/// Properties are sorted before they are written, by ranks of their names; only those of one name, and
/// nested components, are sorted by their bytes, after they were written. So nearly every byte is
/// copied once, from where it was read to where it is written.
///
/// Properties of a file are written from its records. Those that were changed or made in memory are put
/// beside each other as lines of a small file of their own, which has records too.
struct CanonicalWriter {
  /// The most properties that are sorted by insertion.
  private static let insertionLimit = 40

  /// The number of the UID property.
  private let uidName = CanonicalRule.uid
  private let order = CanonicalOrder.all
  private var lines = CanonicalLineWriter()
  /// The properties of the component that is being written, kept for its room.
  private var entries: [CanonicalOrder.Entry] = []
  /// Properties of one name and where they were written, kept likewise.
  private var pieces = WrittenPieces()
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
    writeAll(PropertyList([property]), to: &bytes)
  }

  /// Appends properties in their canonical order.
  mutating func writeAll(_ properties: PropertyList, to bytes: inout [UInt8]) {
    uid = nil
    if let (block, range) = properties.records {
      let (file, arena, records) = (block.bytes, block.arena, block.lines)
      writeSorted(records.span.extracting(range), file.span, arena.span, to: &bytes)
    } else {
      var text: [UInt8] = []
      var records: [LineRecord] = []
      for property in properties { records.append(property.writeLine(to: &text)) }
      writeSorted(records.span, text.span, text.span, to: &bytes)
    }
  }

  /// Appends the BEGIN or END line of a component.
  static func write(_ keyword: String, _ name: String, to bytes: inout [UInt8]) {
    let count = keyword.utf8.count + name.utf8.count
    guard count <= LineFolder.limit else {
      LineFolder.write((keyword + name).utf8.span, to: &bytes)
      return
    }
    bytes.append(addingCapacity: count + 2) { output in
      output.append(copying: keyword.utf8.span, from: 0, to: keyword.utf8.count)
      output.append(copying: name.utf8.span, from: 0, to: name.utf8.count)
      output.append(ASCII.carriageReturn)
      output.append(ASCII.lineFeed)
    }
  }

  private mutating func writeSorted(_ components: ComponentList, to bytes: inout [UInt8]) {
    var pieces = WrittenPieces()
    for component in components {
      let start = bytes.count
      write(component, to: &bytes)
      pieces.add(start..<bytes.count, name: component.name, uid: uid)
    }
    pieces.sort(in: &bytes)
  }

  private mutating func writeSorted(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>,
    to bytes: inout [UInt8]
  ) {
    sortEntries(records, file, arena)
    let entries = entries
    let count = records.count
    var index = 0
    while index < count {
      let first = records[entries[index].index]
      let start = bytes.count
      lines.write(first, first.isFolded ? arena : file, file: file, to: &bytes)
      if uid == nil, first.isNamed(uidName) { uid = start }
      index += 1
      guard index < count, isSameName(entries[index], entries[index - 1], records, file, arena)
      else { continue }
      pieces.removeAll()
      pieces.add(start..<bytes.count)
      repeat {
        let record = records[entries[index].index]
        let start = bytes.count
        lines.write(record, record.isFolded ? arena : file, file: file, to: &bytes)
        pieces.add(start..<bytes.count)
        index += 1
      } while index < count
        && isSameName(entries[index], entries[index - 1], records, file, arena)
      pieces.sort(in: &bytes)
    }
  }

  private mutating func sortEntries(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) {
    let count = records.count
    if entries.count < count {
      entries = Array(repeating: CanonicalOrder.Entry(rank: 0, index: 0), count: 2 * count)
    }
    fillEntries(records, file, arena)
    guard count <= Self.insertionLimit else {
      entries[..<count].sort {
        $0.precedes($1) { Self.compareNames(records[$0], records[$1], file, arena) }
      }
      return
    }
    var sorted = entries.mutableSpan
    for index in 0..<count {
      let entry = sorted[index]
      var place = index
      while place > 0,
        entry.precedes(
          sorted[place &- 1], { Self.compareNames(records[$0], records[$1], file, arena) })
      {
        sorted[place] = sorted[place &- 1]
        place &-= 1
      }
      sorted[place] = entry
    }
  }

  private mutating func fillEntries(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) {
    let order = order
    var filled = entries.mutableSpan
    for index in records.indices {
      let record = records[index]
      let rank = order.rank(of: record, in: record.isFolded ? arena : file)
      filled[index] = CanonicalOrder.Entry(rank: rank, index: index)
    }
  }

  /// Whether two properties have the same name.
  @inline(__always)
  private func isSameName(
    _ left: CanonicalOrder.Entry, _ right: CanonicalOrder.Entry, _ records: Span<LineRecord>,
    _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) -> Bool {
    left.hasSameName(as: right) { Self.compareNames(records[$0], records[$1], file, arena) }
  }

  /// Compares the names of two lines: negative if the left one comes first, 0 if they are the same.
  private static func compareNames(
    _ left: LineRecord, _ right: LineRecord, _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) -> Int {
    let leftStart = Int(left.textStart)
    let rightStart = Int(right.textStart)
    return CanonicalKey.compare(
      left.isFolded ? arena : file, leftStart..<(leftStart &+ Int(left.nameLength)),
      right.isFolded ? arena : file, rightStart..<(rightStart &+ Int(right.nameLength)))
  }
}

extension Property {
  /// Appends the line of the property, unfolded and without its end, and gives a record of it that has
  /// no physical lines.
  fileprivate func writeLine(to bytes: inout [UInt8]) -> LineRecord {
    guard let (block, line) = record else { return writeEdited(to: &bytes) }
    let start = bytes.count
    let text = line.isFolded ? block.arena : block.bytes
    bytes.append(copying: text.span.extracting(line.textRange))
    var copy = line
    copy.textStart = UInt32(truncatingIfNeeded: start)
    copy.start = 0
    copy.end = 0
    return copy
  }
}
