// SPDX-License-Identifier: Apache-2.0

/// The text of a value, which is decoded when it is asked for.
///
/// Most texts of a file are never looked at, and making a `String` costs more than everything else
/// that is done with a value. A text of a file keeps the file's bytes until then.
public struct ValueText: Sendable {
  private enum Storage: Sendable {
    case string(String)
    /// A part of the bytes or the arena of a block.
    case source(RecordBlock, Place)
  }

  /// A range of a block in one word.
  private struct Place: BitwiseCopyable, Sendable {
    let start: UInt32
    /// The number of bytes, of at most 30 bits, and two marks above them.
    let countAndMarks: UInt32

    static let arenaMark: UInt32 = 1 << 31
    static let escapesMark: UInt32 = 1 << 30

    var count: Int { Int(countAndMarks & (Self.escapesMark - 1)) }
  }

  private let storage: Storage

  /// Creates a text.
  public init(_ string: String) {
    storage = .string(string)
  }

  /// Refers to a part of a block.
  ///
  /// - Parameters:
  ///   - block: The block, which stays in memory as long as the text does.
  ///   - range: Where the bytes are, in the arena or the bytes of the block.
  ///   - isInArena: Whether they are in the arena.
  ///   - hasEscapes: Whether there may be escapes of TEXT among them (RFC 5545 §3.3.11).
  init(_ block: RecordBlock, _ range: Range<Int>, isInArena: Bool, hasEscapes: Bool) {
    let marks = (isInArena ? Place.arenaMark : 0) | (hasEscapes ? Place.escapesMark : 0)
    storage = .source(
      block,
      Place(
        start: UInt32(truncatingIfNeeded: range.lowerBound),
        countAndMarks: UInt32(truncatingIfNeeded: range.count) | marks))
  }

  /// Refers to the value of a line.
  @inline(__always)
  init(_ block: RecordBlock, valueOf line: LineRecord, hasEscapes: Bool) {
    let start = Int(line.textStart &+ line.valueStart)
    self.init(
      block, start..<Int(line.textStart &+ line.textCount), isInArena: line.isFolded,
      hasEscapes: hasEscapes)
  }

  /// The text, without escapes; bytes that are not UTF-8 read as U+FFFD.
  public var string: String {
    switch storage {
    case .string(let string): string
    case .source(let block, let place):
      withBytes(of: block, place) { bytes in
        place.countAndMarks & Place.escapesMark == 0
          ? String(copying: bytes) : TextEscaping.unescape(bytes)
      }
    }
  }

  /// The number of bytes of the text in UTF-8, without escapes.
  ///
  /// Bytes that are not UTF-8 count as they are.
  public var utf8Count: Int {
    switch storage {
    case .string(let string): string.utf8.count
    case .source(let block, let place):
      withBytes(of: block, place) { bytes in
        place.countAndMarks & Place.escapesMark == 0
          ? bytes.count : TextEscaping.unescapedCount(bytes)
      }
    }
  }

  private func withBytes<Result>(
    of block: RecordBlock, _ place: Place, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    let range = Int(place.start)..<Int(place.start) &+ place.count
    // Two ways and not one choice, so that neither array is retained.
    if place.countAndMarks & Place.arenaMark == 0 {
      let bytes = block.bytes
      return body(bytes.span.extracting(range))
    }
    let arena = block.arena
    return body(arena.span.extracting(range))
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

  /// The text in quotes, as a string is shown.
  public var debugDescription: String { string.debugDescription }

  /// Whether the texts have the same bytes, wherever they come from.
  public static func == (left: ValueText, right: ValueText) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(string)
  }
}
