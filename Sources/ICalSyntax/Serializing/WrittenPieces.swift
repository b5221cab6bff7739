// SPDX-License-Identifier: Apache-2.0

/// Properties with the same name, or components, at the end of the output, with their sort keys.
struct WrittenPieces {
  private struct Piece: BitwiseCopyable {
    /// The first letters of a component's name.
    let name: CanonicalKey
    /// The first bytes after the common prefix, which distinguish nearly all pieces; see `common`.
    var key: UInt64 = 0
    /// The range in the output.
    let start: Int
    let end: Int
    /// The end of the compared component name, and the start of the text compared after it.
    ///
    /// The text starts at the UID of a component, or is a whole property; it is `end` if there is
    /// no UID.
    let nameEnd: Int
    let text: Int

    /// Sets the key from the bytes after a common prefix of `count` bytes.
    @inline(__always)
    mutating func noteKey(_ bytes: Span<UInt8>, after count: Int) {
      let place = min(text &+ count, end)
      key = ByteWord.prefix(bytes.word(at: place), end &- place).byteSwapped
    }
  }

  private var pieces: [Piece] = []
  /// The bytes in their original order; reused to keep its capacity.
  private var written: [UInt8] = []

  /// The common prefix of all compared texts, because UIDs of one program often begin alike.
  private var common: Range<Int>?

  mutating func removeAll() {
    pieces.removeAll(keepingCapacity: true)
    common = nil
  }

  /// Adds a property.
  mutating func add(_ range: Range<Int>, in bytes: Span<UInt8>) {
    let start = range.lowerBound
    add(
      Piece(name: .empty, start: start, end: range.upperBound, nameEnd: start, text: start), bytes)
  }

  /// Adds a component with the sort key of its name and the offset of its UID.
  mutating func add(_ range: Range<Int>, name: ComponentSortKey, uid: Int?, in bytes: Span<UInt8>) {
    let nameEnd = range.lowerBound &+ name.length
    add(
      Piece(
        name: name.key, start: range.lowerBound, end: range.upperBound,
        nameEnd: min(nameEnd, range.upperBound), text: uid ?? range.upperBound), bytes)
  }

  /// Adds a piece that was just written, and updates the keys.
  private mutating func add(_ added: Piece, _ bytes: Span<UInt8>) {
    var piece = added
    if piece.text < piece.end {
      let before = common ?? piece.text..<piece.end
      let count = Self.commonCount(
        before.lowerBound, piece.text, in: bytes, limit: min(before.count, piece.end &- piece.text))
      common = before.lowerBound..<(before.lowerBound &+ count)
      // This is rare, because the prefix becomes shorter each time.
      if count < before.count { noteKeys(bytes, after: count) }
      piece.noteKey(bytes, after: count)
    }
    pieces.append(piece)
  }

  private mutating func noteKeys(_ bytes: Span<UInt8>, after count: Int) {
    var pieces = pieces.mutableSpan
    for index in pieces.indices { pieces[index].noteKey(bytes, after: count) }
  }

  /// Sorts the pieces.
  mutating func sort(in bytes: inout [UInt8]) {
    guard let start = pieces.first?.start, pieces.count > 1, !areInOrder(bytes.span) else { return }
    let origin = take(&bytes, from: start)
    let copy = written
    let source = copy.span
    pieces.sortQuickly { Self.precedes($0, $1, in: source, from: origin) }
    bytes.append(addingCapacity: source.count - start + origin) { output in
      for piece in pieces {
        output.append(copying: source, from: piece.start - origin, to: piece.end - origin)
      }
    }
  }

  /// Moves the bytes from an index on to `written`, and returns the offset of its first byte.
  private mutating func take(_ bytes: inout [UInt8], from start: Int) -> Int {
    written.removeAll(keepingCapacity: true)
    guard bytes.count - start > bytes.capacity / 2 else {
      written.append(copying: bytes.span, from: start, to: bytes.count)
      bytes.removeLast(bytes.count - start)
      return start
    }
    // These are nearly all bytes, so the few before them are copied instead.
    swap(&written, &bytes)
    bytes.reserveCapacity(written.count + written.count / 16)
    bytes.append(copying: written.span, from: 0, to: start)
    return 0
  }

  /// The length of the common prefix at two indices.
  private static func commonCount(
    _ left: Int, _ right: Int, in bytes: Span<UInt8>, limit: Int
  ) -> Int {
    var count = 0
    while count < limit {
      let differences = bytes.word(at: left &+ count) ^ bytes.word(at: right &+ count)
      guard differences == 0 else {
        return min(limit, count &+ differences.trailingZeroBitCount >> 3)
      }
      count &+= 8
    }
    return limit
  }

  private func areInOrder(_ bytes: Span<UInt8>) -> Bool {
    for index in pieces.indices.dropFirst()
    where Self.precedes(pieces[index], pieces[index - 1], in: bytes, from: 0) {
      return false
    }
    return true
  }

  /// Whether a piece precedes another one: by name, by UID, by all bytes, and then by position.
  @inline(__always)
  private static func precedes(
    _ left: Piece, _ right: Piece, in bytes: Span<UInt8>, from start: Int
  ) -> Bool {
    guard left.name == right.name else { return left.name < right.name }
    // The lengths must match, because a NUL in a name would look like its end in the key.
    let length = left.nameEnd &- left.start
    guard length == right.nameEnd &- right.start, ComponentSortKey.isWhole(length),
      left.key != right.key
    else { return precedesByAll(left, right, in: bytes, from: start) }
    return left.key < right.key
  }

  private static func precedesByAll(
    _ left: Piece, _ right: Piece, in bytes: Span<UInt8>, from start: Int
  ) -> Bool {
    var order = compare(
      left.start..<left.nameEnd, right.start..<right.nameEnd, in: bytes, from: start)
    if order == 0 {
      order = compare(left.text..<left.end, right.text..<right.end, in: bytes, from: start)
    }
    if order == 0 {
      order = compare(left.start..<left.end, right.start..<right.end, in: bytes, from: start)
    }
    return order != 0 ? order < 0 : left.start < right.start
  }

  /// Compares two ranges of bytes: negative if the left one comes first, 0 if they are equal.
  private static func compare(
    _ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>, from start: Int
  ) -> Int {
    let leftStart = left.lowerBound &- start
    let rightStart = right.lowerBound &- start
    let count = min(left.count, right.count)
    var offset = 0
    while offset < count {
      let leftWord = ByteWord.prefix(bytes.word(at: leftStart &+ offset), count &- offset)
      let rightWord = ByteWord.prefix(bytes.word(at: rightStart &+ offset), count &- offset)
      guard leftWord == rightWord else {
        return leftWord.byteSwapped < rightWord.byteSwapped ? -1 : 1
      }
      offset &+= 8
    }
    return left.count - right.count
  }
}
