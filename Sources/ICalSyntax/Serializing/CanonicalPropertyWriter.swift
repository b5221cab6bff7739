// SPDX-License-Identifier: Apache-2.0

/// Writes the properties of single components in their canonical order.
///
/// They are sorted before they are written, by ranks of their names; only those of one name are sorted
/// by their bytes, after they were written. So nearly every byte is copied once, from where it was read
/// to where it is written.
struct CanonicalPropertyWriter {
  /// The most properties that are sorted by insertion.
  private static let insertionLimit = 40

  /// The number of the UID property.
  private let uidName = CanonicalRule.uid
  private let order = CanonicalOrder.all
  private var lines = CanonicalLineWriter()
  /// The properties of the component that is being written, kept for its room.
  private var entries: [CanonicalOrder.Entry] = []
  /// How many bytes the physical lines have of those that were not yet written.
  private var room = 0
  /// Properties of one name and where they were written, kept likewise.
  private var pieces = WrittenPieces()
  /// Where the UIDs begin.
  private var uid: Int?

  /// Appends the properties that records describe.
  ///
  /// - Parameters:
  ///   - records: The records of all properties of a component.
  ///   - file: The bytes that their physical lines lie in.
  ///   - arena: The bytes that the text of folded lines lies in.
  ///   - bytes: What is appended to.
  /// - Returns: Where the UID property begins, or nil if there is none.
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

  /// Copies properties that are the only ones of their name, as long as they are canonical as they stand.
  ///
  /// They are appended together, because most lines are short: to ask the array for room takes longer
  /// than to copy one.
  ///
  /// - Returns: The place of the first one that was not copied.
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

  /// Appends a property that may have namesakes.
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

  /// Notes that a property is written at a place.
  @inline(__always)
  private mutating func begin(_ record: LineRecord, at place: Int) {
    room &-= record.physicalRange.count
    if uid == nil, record.isNamed(uidName) { uid = place }
  }

  /// Where the properties end that have the same name as one of them.
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
