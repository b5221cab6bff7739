// SPDX-License-Identifier: Apache-2.0

/// Properties of one name, or components, that were written just now and lie side by side, and what
/// they are sorted by.
struct WrittenPieces {
  private struct Piece: BitwiseCopyable {
    /// The first letters of a component's name.
    let name: CanonicalKey
    /// The first bytes that tell nearly all pieces apart, see `noteKeys`.
    var key: UInt64 = 0
    /// Where it begins and ends.
    let start: Int
    let end: Int
    /// Where the name of a component ends, and where that begins which is compared after it: its UID, or
    /// all of a property; `end` if it has no UID.
    let nameEnd: Int
    let text: Int
  }

  private static let timeZone = ComponentName.timeZone.index

  private var pieces: [Piece] = []
  /// The bytes in the order in which they were written, kept for the room.
  private var written: [UInt8] = []

  mutating func removeAll() { pieces.removeAll(keepingCapacity: true) }

  /// Adds a property.
  mutating func add(_ range: Range<Int>) {
    let start = range.lowerBound
    pieces.append(
      Piece(name: .empty, start: start, end: range.upperBound, nameEnd: start, text: start))
  }

  /// Adds a component, and where its UID begins.
  mutating func add(_ range: Range<Int>, name: ComponentName, uid: Int?) {
    let isTimeZone = name.index == Self.timeZone
    let name = name.canonicalName
    let length = name.utf8.count
    pieces.append(
      Piece(
        name: isTimeZone ? .empty : CanonicalKey(name.utf8.span, at: 0, count: length),
        start: range.lowerBound, end: range.upperBound,
        nameEnd: min(range.lowerBound + "BEGIN:".utf8.count + length, range.upperBound),
        text: uid ?? range.upperBound))
  }

  /// Puts the pieces in order.
  mutating func sort(in bytes: inout [UInt8]) {
    guard let start = pieces.first?.start, pieces.count > 1 else { return }
    noteKeys(bytes.span)
    guard !areInOrder(bytes.span) else { return }
    written.removeAll(keepingCapacity: true)
    written.append(copying: bytes.span, from: start, to: bytes.count)
    let copy = written
    let source = copy.span
    pieces.sortQuickly { Self.precedes($0, $1, in: source, from: start) }
    bytes.removeLast(source.count)
    for piece in pieces {
      bytes.append(copying: source, from: piece.start - start, to: piece.end - start)
    }
  }

  /// Makes keys of the first bytes after those that all pieces have in common: UIDs of one program often
  /// begin in the same way.
  private mutating func noteKeys(_ bytes: Span<UInt8>) {
    guard let first = pieces.first(where: { $0.text < $0.end }) else { return }
    var common = first.end - first.text
    for piece in pieces where piece.text < piece.end {
      common = Self.commonCount(
        first.text, piece.text, in: bytes, limit: min(common, piece.end - piece.text))
    }
    for index in pieces.indices {
      let piece = pieces[index]
      let start = min(piece.text + common, piece.end)
      pieces[index].key =
        ByteWord.prefix(bytes.word(at: start), piece.end - start).byteSwapped
    }
  }

  /// How many bytes are the same from two indices on; 8 at a time, and so perhaps a few less.
  private static func commonCount(
    _ left: Int, _ right: Int, in bytes: Span<UInt8>, limit: Int
  ) -> Int {
    var count = 0
    while count &+ 8 <= limit, bytes.word(at: left &+ count) == bytes.word(at: right &+ count) {
      count &+= 8
    }
    return count
  }

  private func areInOrder(_ bytes: Span<UInt8>) -> Bool {
    for index in pieces.indices.dropFirst()
    where Self.precedes(pieces[index], pieces[index - 1], in: bytes, from: 0) {
      return false
    }
    return true
  }

  /// Whether a piece comes before another one: by name, by UID, by all bytes, and then by place.
  @inline(__always)
  private static func precedes(
    _ left: Piece, _ right: Piece, in bytes: Span<UInt8>, from start: Int
  ) -> Bool {
    guard left.name == right.name else { return left.name < right.name }
    guard left.key == right.key || left.name.isCut else { return left.key < right.key }
    return precedesByAll(left, right, in: bytes, from: start)
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
