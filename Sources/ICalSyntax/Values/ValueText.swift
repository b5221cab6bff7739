// SPDX-License-Identifier: Apache-2.0

/// The text of a value, which is decoded on access.
///
/// Most texts of a file are never read, and creating a `String` costs more than all other
/// processing of a value. A text of a file refers to the file's bytes until then.
public struct ValueText: Sendable {
  /// A range of a block in one word.
  private struct Place: BitwiseCopyable, Sendable {
    let start: UInt32
    /// The number of bytes, in at most 30 bits, and two flags above them.
    let countAndMarks: UInt32

    static let arenaMark: UInt32 = 1 << 31
    static let escapesMark: UInt32 = 1 << 30
    /// All bytes of a block that was created for a single text.
    static let whole = Place(start: .max, countAndMarks: 0)

    var isInArena: Bool { countAndMarks & Self.arenaMark != 0 }
    var hasEscapes: Bool { countAndMarks & Self.escapesMark != 0 }
    var count: Int { Int(countAndMarks & (Self.escapesMark - 1)) }
  }

  // An enum of a block or a string would be retained on each access, so there is always a block.
  private let block: RecordBlock
  private let place: Place

  /// Creates a text.
  public init(_ string: String) {
    block = RecordBlock(text: string)
    place = .whole
  }

  /// Creates a text that refers to a part of a block.
  ///
  /// - Parameters:
  ///   - block: The block, which the text retains.
  ///   - range: The range in the arena or the bytes of the block.
  ///   - isInArena: Whether the range is in the arena.
  ///   - hasEscapes: Whether the range may contain TEXT escapes (RFC 5545 §3.3.11).
  init(_ block: RecordBlock, _ range: Range<Int>, isInArena: Bool, hasEscapes: Bool) {
    let marks = (isInArena ? Place.arenaMark : 0) | (hasEscapes ? Place.escapesMark : 0)
    self.block = block
    place = Place(
      start: UInt32(truncatingIfNeeded: range.lowerBound),
      countAndMarks: UInt32(truncatingIfNeeded: range.count) | marks)
  }

  /// Creates a text that refers to the value of a line.
  @inline(__always)
  init(_ block: RecordBlock, valueOf line: LineRecord, hasEscapes: Bool) {
    let start = Int(line.textStart &+ line.valueStart)
    self.init(
      block, start..<Int(line.textStart &+ line.textCount), isInArena: line.isFolded,
      hasEscapes: hasEscapes)
  }

  /// The text, without escapes; invalid UTF-8 becomes U+FFFD.
  public var string: String {
    withBytes { bytes, range in
      let text = bytes.extracting(range)
      return place.hasEscapes ? TextEscaping.unescape(text) : String(copying: text)
    }
  }

  /// The number of UTF-8 bytes in the text, without escapes.
  ///
  /// Invalid UTF-8 counts as its original bytes.
  public var utf8Count: Int {
    withBytes { bytes, range in
      place.hasEscapes ? TextEscaping.unescapedCount(bytes, in: range) : range.count
    }
  }

  /// Calls `body` with bytes that contain the text, its range, and whether it may have escapes.
  func withBytes<Result>(_ body: (Span<UInt8>, Range<Int>, Bool) -> Result) -> Result {
    withBytes { body($0, $1, place.hasEscapes) }
  }

  @inline(__always)
  private func withBytes<Result>(_ body: (Span<UInt8>, Range<Int>) -> Result) -> Result {
    // Two branches instead of one conditional expression, so that neither array is retained.
    guard !place.isInArena else {
      let arena = block.arena
      return body(arena.span, Int(place.start)..<Int(place.start) &+ place.count)
    }
    let bytes = block.bytes
    guard place.start != .max else { return body(bytes.span, 0..<bytes.count) }
    return body(bytes.span, Int(place.start)..<Int(place.start) &+ place.count)
  }
}

extension ValueText: Hashable, ExpressibleByStringLiteral, CustomStringConvertible,
  CustomDebugStringConvertible
{
  /// Creates a text.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The text, without escapes.
  public var description: String { string }

  /// The text in quotes, like the debug description of a `String`.
  public var debugDescription: String { string.debugDescription }

  /// Whether two texts have equal bytes, regardless of their origin.
  public static func == (left: ValueText, right: ValueText) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  /// Hashes the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(string)
  }
}

/// The position of a property's value in a file.
struct ValueOrigin {
  let block: RecordBlock
  /// The offset of the first byte, in the arena or the bytes of the block.
  let start: Int
  let isInArena: Bool

  /// The place of a part of the same value.
  func shifted(by count: Int) -> ValueOrigin {
    ValueOrigin(block: block, start: start + count, isInArena: isInArena)
  }
}
