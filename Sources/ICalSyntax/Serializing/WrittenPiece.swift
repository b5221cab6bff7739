// SPDX-License-Identifier: Apache-2.0

/// Where a property or a component lies that was written just now, and what it is sorted by.
struct WrittenPiece {
  /// The key of a component's name.
  private let name: CanonicalKey
  /// A component from its UID on, or an empty range; the first bytes tell nearly all UIDs apart.
  private let uid: Range<Int>
  private let uidKey: UInt64
  private let range: Range<Int>

  /// A property.
  init(_ range: Range<Int>) {
    name = .empty
    uid = range.lowerBound..<range.lowerBound
    uidKey = 0
    self.range = range
  }

  /// A component, and where its UID begins.
  init(_ range: Range<Int>, name: String, uid: Int?, in bytes: Span<UInt8>) {
    let isTimeZone = name == ComponentName.timeZone.rawName
    self.name = isTimeZone ? .empty : CanonicalKey(name.utf8.span, count: name.utf8.count)
    self.uid = uid.map { $0..<range.upperBound } ?? range.lowerBound..<range.lowerBound
    // Behind "UID:".
    uidKey = uid.map { bytes.word(at: $0 &+ 4).byteSwapped } ?? 0
    self.range = range
  }

  /// Puts pieces in order that were written last and lie side by side.
  static func sort(_ pieces: [WrittenPiece], in bytes: inout [UInt8]) {
    guard let first = pieces.first, !areInOrder(pieces, bytes.span) else { return }
    let start = first.range.lowerBound
    let written = Array(bytes[start...])
    let sorted = pieces.sorted { precedes($0, $1, in: written.span, from: start) }
    bytes.removeLast(written.count)
    for piece in sorted {
      let range = (piece.range.lowerBound - start)..<(piece.range.upperBound - start)
      bytes.append(copying: written.span.extracting(range))
    }
  }

  private static func areInOrder(_ pieces: [WrittenPiece], _ bytes: Span<UInt8>) -> Bool {
    for index in pieces.indices.dropFirst()
    where precedes(pieces[index], pieces[index - 1], in: bytes, from: 0) {
      return false
    }
    return true
  }

  /// Whether a piece comes before another one: by name, by UID, and then by all bytes.
  @inline(__always)
  private static func precedes(
    _ left: WrittenPiece, _ right: WrittenPiece, in bytes: Span<UInt8>, from start: Int
  ) -> Bool {
    guard left.name == right.name else { return left.name < right.name }
    guard left.uidKey == right.uidKey else { return left.uidKey < right.uidKey }
    let order = compare(left.uid, right.uid, in: bytes, from: start)
    return order != 0 ? order < 0 : compare(left.range, right.range, in: bytes, from: start) < 0
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
