// SPDX-License-Identifier: Apache-2.0

/// Writes the properties of a component in canonical order.
///
/// They are sorted before they are written, by the ranks of their names. Only properties with the
/// same name are sorted by their bytes after they were written. Nearly every byte is therefore
/// copied once, from the source to the output.
struct CanonicalPropertyWriter {
  /// The maximum number of properties for insertion sort.
  private static let insertionLimit = 40

  /// The index of the UID property.
  private let uidName = CanonicalRule.uid
  private let order = CanonicalOrder.all
  private var lines = CanonicalLineWriter()
  /// The properties of the current component; reused to keep its capacity.
  private var entries: [CanonicalOrder.Entry] = []
  /// The number of bytes in the physical lines that were not yet written.
  private var room = 0
  /// Properties with the same name and their ranges in the output; reused likewise.
  private var pieces = WrittenPieces()
  /// The offset of the first UID in the output.
  private var uid: Int?

  /// Appends the properties that records describe.
  ///
  /// - Parameters:
  ///   - records: The records of all properties of a component.
  ///   - file: The bytes that contain their physical lines.
  ///   - arena: The bytes that contain the text of folded lines.
  ///   - bytes: The output.
  /// - Returns: The offset of the UID property, or nil if there is none.
  mutating func write(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>,
    to bytes: inout [UInt8]
  ) -> Int? {
    sortEntries(records, file, arena)
    room = 0
    for index in records.indices { room &+= records[index].physicalRange.count }
    uid = nil
    var index = 0
    while index < records.count {
      index = copy(from: index, records, file, arena, to: &bytes)
      guard index < records.count else { break }
      let end = endOfNamesakes(from: index, records, file, arena)
      if end == index + 1 {
        let record = records[entries[index].index]
        begin(record, at: bytes.count)
        lines.write(record, record.isFolded ? arena : file, to: &bytes)
      } else {
        pieces.removeAll()
        for place in index..<end {
          let start = bytes.count
          write(records[entries[place].index], file, arena, to: &bytes)
          pieces.add(start..<bytes.count, in: bytes.span)
        }
        pieces.sort(in: &bytes)
      }
      index = end
    }
    return uid
  }

  /// Copies properties with unique names, as long as they are already canonical.
  ///
  /// They are appended in one operation, because most lines are short: checking the array's
  /// capacity takes longer than copying a line.
  ///
  /// - Returns: The index of the first property that was not copied.
  private mutating func copy(
    from first: Int, _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>,
    to bytes: inout [UInt8]
  ) -> Int {
    var index = first
    let start = bytes.count
    bytes.append(addingCapacity: room) { output in
      while index < records.count,
        endOfNamesakes(from: index, records, file, arena) == index &+ 1
      {
        let record = records[entries[index].index]
        guard lines.isCopied(record, record.isFolded ? arena : file, file: file) else { break }
        begin(record, at: start &+ output.count)
        let lines = record.physicalRange
        output.append(copying: file, from: lines.lowerBound, to: lines.upperBound)
        index &+= 1
      }
    }
    return index
  }

  /// Appends a property that may share its name with others.
  private mutating func write(
    _ record: LineRecord, _ file: Span<UInt8>, _ arena: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    let text = record.isFolded ? arena : file
    begin(record, at: bytes.count)
    if lines.isCopied(record, text, file: file) {
      let lines = record.physicalRange
      bytes.append(copying: file, from: lines.lowerBound, to: lines.upperBound)
    } else {
      lines.write(record, text, to: &bytes)
    }
  }

  /// Records the offset at which a property is written.
  @inline(__always)
  private mutating func begin(_ record: LineRecord, at place: Int) {
    room &-= record.physicalRange.count
    if uid == nil, record.isNamed(uidName) { uid = place }
  }

  /// The end of the properties that have the same name as one of them.
  @inline(__always)
  private func endOfNamesakes(
    from index: Int, _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) -> Int {
    var end = index &+ 1
    while end < records.count,
      entries[end].hasSameName(
        as: entries[index], { Self.compareNames(records[$0], records[$1], file, arena) })
    {
      end &+= 1
    }
    return end
  }

  private mutating func sortEntries(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>
  ) {
    let count = records.count
    if entries.count < count {
      entries = Array(repeating: CanonicalOrder.Entry(rank: 0, index: 0), count: 2 * count)
    }
    order.rank(records, file, arena, into: &entries)
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

  /// Compares the names of two lines: negative if the left one comes first, 0 if they are equal.
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

/// The rules of `PropertyTable` that canonical writing needs, in a compact form for each line.
struct CanonicalRule: BitwiseCopyable, Sendable {
  /// The rules of all properties, indexed as in `PropertyTable`.
  ///
  /// The last rule applies to all other properties, whose values are not changed.
  static let all = PropertyTable.rows.map { CanonicalRule($0) } + [CanonicalRule()]

  /// The index of the UID property.
  static let uid = PropertyName.uid.index ?? -1

  /// The names of the default types (RFC 5545 §3.2.20), indexed as in `PropertyTable`.
  ///
  /// For a property without a default type it is a name that is invalid as a parameter value.
  static let typeNames = PropertyTable.rows.map {
    let name = ($0.hasDefaultType ? $0.valueType.rawValue : "\":").utf8.span
    return NameKey(name, at: 0, count: name.count)
  }

  /// Whether the values are texts without a VALUE parameter (RFC 5545 §3.3.11).
  let isText: Bool
  /// Whether the values may be texts.
  let mayBeText: Bool
  /// The separator of texts, which is not escaped between them; 0 for none.
  let separator: UInt8

  private init(_ row: PropertyTable.Row) {
    let form = ValueForm.all[PropertyVocabulary.table.index(of: row.name.utf8.span) ?? 0]
    isText = row.valueType == .text
    mayBeText = isText || row.alternatives.contains(.text)
    separator = form.separator ?? 0
  }

  private init() {
    isText = false
    mayBeText = false
    separator = 0
  }
}
