// SPDX-License-Identifier: Apache-2.0

/// The text of a value, which is decoded when it is asked for.
///
/// Most texts of a file are never looked at, and making a `String` costs more than everything else
/// that is done with a value. A text of a file keeps the file's bytes until then.
public struct ValueText: Sendable {
  /// A range of a block in one word.
  private struct Place: BitwiseCopyable, Sendable {
    let start: UInt32
    /// The number of bytes, of at most 30 bits, and two marks above them.
    let countAndMarks: UInt32

    static let arenaMark: UInt32 = 1 << 31
    static let escapesMark: UInt32 = 1 << 30
    /// All bytes of a block that was made for one text.
    static let whole = Place(start: .max, countAndMarks: 0)

    var isInArena: Bool { countAndMarks & Self.arenaMark != 0 }
    var hasEscapes: Bool { countAndMarks & Self.escapesMark != 0 }
    var count: Int { Int(countAndMarks & (Self.escapesMark - 1)) }
  }

  // No choice between a block and a string: such a one would be held on to for as long as it is looked at.
  private let block: RecordBlock
  private let place: Place

  /// Creates a text.
  public init(_ string: String) {
    block = RecordBlock(text: string)
    place = .whole
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
    self.block = block
    place = Place(
      start: UInt32(truncatingIfNeeded: range.lowerBound),
      countAndMarks: UInt32(truncatingIfNeeded: range.count) | marks)
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
    withBytes { bytes, range in
      let text = bytes.extracting(range)
      return place.hasEscapes ? TextEscaping.unescape(text) : String(copying: text)
    }
  }

  /// The number of bytes of the text in UTF-8, without escapes.
  ///
  /// Bytes that are not UTF-8 count as they are.
  public var utf8Count: Int {
    withBytes { bytes, range in
      place.hasEscapes ? TextEscaping.unescapedCount(bytes, in: range) : range.count
    }
  }

  @inline(__always)
  private func withBytes<Result>(_ body: (Span<UInt8>, Range<Int>) -> Result) -> Result {
    // Two ways and not one choice, so that neither array is retained.
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
