// SPDX-License-Identifier: Apache-2.0

/// Where a content line lies, and where its name and value are (RFC 5545 §3.1): 28 bytes of numbers.
///
/// A record and not a set of texts: a file has millions of lines, of which few are looked at. A line
/// that is not folded is used where it stands in the file; one that is folded is unfolded once, into
/// an arena that all lines of a block share.
struct LineRecord: BitwiseCopyable, Sendable {
  private static let foldedBit: UInt16 = 0x8000

  /// The range of the physical lines in the bytes of the block, folds and the last line end included.
  var start: UInt32
  var end: UInt32
  /// Where the unfolded line lies, without its end: in the arena if it is folded, else in the bytes.
  var textStart: UInt32
  var textCount: UInt32
  /// The offset of the first byte after the colon, from `textStart`.
  var valueStart: UInt32 = 0
  /// The number of the first physical line, counted from the block's own first line.
  var lineNumber: UInt32
  /// The length of the name, or 0 for a line that has no name and is kept only as it stands.
  var nameLength: UInt16 = 0
  /// The number of the name in the vocabulary of properties, and three marks.
  private var nameCode: UInt16

  init(
    physical: Range<Int>, text: Range<Int>, isFolded: Bool, lineNumber: Int
  ) {
    start = UInt32(truncatingIfNeeded: physical.lowerBound)
    end = UInt32(truncatingIfNeeded: physical.upperBound)
    textStart = UInt32(truncatingIfNeeded: text.lowerBound)
    textCount = UInt32(truncatingIfNeeded: text.count)
    self.lineNumber = UInt32(truncatingIfNeeded: lineNumber)
    nameCode = LineParts.unknownName | (isFolded ? Self.foldedBit : 0)
  }

  /// Describes a line whose parts are known.
  ///
  /// - Parameters:
  ///   - start: Where the physical lines start.
  ///   - end: Where they end.
  ///   - textStart: Where the unfolded line starts.
  ///   - textCount: How many bytes it has.
  ///   - isFolded: Whether it lies in the arena.
  ///   - lineNumber: The number of the first physical line.
  ///   - parts: Where its name and value are.
  @inline(__always)
  init(
    from start: Int, to end: Int, textStart: Int, textCount: Int, isFolded: Bool, lineNumber: Int,
    parts: LineParts
  ) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.textStart = UInt32(truncatingIfNeeded: textStart)
    self.textCount = UInt32(truncatingIfNeeded: textCount)
    self.lineNumber = UInt32(truncatingIfNeeded: lineNumber)
    nameLength = parts.nameLength
    valueStart = parts.valueStart
    nameCode = parts.nameCode | (isFolded ? Self.foldedBit : 0)
  }

  /// Notes where the parts of the line are.
  mutating func note(_ parts: LineParts) {
    nameLength = parts.nameLength
    valueStart = parts.valueStart
    nameCode = parts.nameCode | nameCode & Self.foldedBit
  }

  /// Whether the line is folded, and its text lies in the arena.
  var isFolded: Bool { nameCode & Self.foldedBit != 0 }

  /// Whether the name is spelled in upper case, as its table has it.
  var hasCanonicalName: Bool { nameCode & LineParts.canonicalBit != 0 }

  /// Whether there may be a VALUE parameter.
  var mayDeclareType: Bool { nameCode & LineParts.declaresTypeBit != 0 }

  /// The number of the name in the vocabulary of properties, or nil if no table knows it.
  var nameIndex: Int? {
    let index = nameCode & LineParts.unknownName
    return index == LineParts.unknownName ? nil : Int(index)
  }

  /// Whether the line has the name with this number.
  @inline(__always)
  func isNamed(_ index: Int) -> Bool {
    Int(nameCode & LineParts.unknownName) == index
  }

  /// The range of the physical lines.
  var physicalRange: Range<Int> { Int(start)..<Int(end) }

  /// The range of the unfolded line in the arena or the bytes.
  var textRange: Range<Int> { Int(textStart)..<Int(textStart) &+ Int(textCount) }
}
