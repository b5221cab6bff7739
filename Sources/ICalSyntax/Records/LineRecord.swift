// SPDX-License-Identifier: Apache-2.0

/// The position of a content line and its parts in a block (RFC 5545 §3.1), in 28 bytes.
///
/// It holds offsets instead of texts, because a file may have millions of lines, of which few are
/// read. A line without folds is used in place. A folded line is unfolded once, into an arena that
/// all lines of a block share.
struct LineRecord: BitwiseCopyable, Sendable {
  private static let foldedBit: UInt16 = 0x8000

  /// The range of the physical lines in the block, including folds and the last line break.
  var start: UInt32
  var end: UInt32
  /// The unfolded text without a line break: in the arena if folded, else in the bytes.
  var textStart: UInt32
  var textCount: UInt32
  /// The offset of the first byte after the colon, from `textStart`.
  var valueStart: UInt32 = 0
  /// The number of the first physical line, relative to the block's first line.
  var lineNumber: UInt32
  /// The length of the name, or 0 for a line without a name, which is only preserved.
  var nameLength: UInt16 = 0
  /// The index of the name in the property vocabulary, and three flags.
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

  /// Creates a record of a line with known parts.
  ///
  /// - Parameters:
  ///   - start: The start of the physical lines.
  ///   - end: The end of the physical lines.
  ///   - textStart: The start of the unfolded text.
  ///   - textCount: The number of bytes in the unfolded text.
  ///   - isFolded: Whether the text is in the arena.
  ///   - lineNumber: The number of the first physical line.
  ///   - parts: The positions of the name and the value.
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

  /// Sets the parts of the line.
  mutating func note(_ parts: LineParts) {
    nameLength = parts.nameLength
    valueStart = parts.valueStart
    nameCode = parts.nameCode | nameCode & Self.foldedBit
  }

  /// Whether the line is folded, so that its text is in the arena.
  var isFolded: Bool { nameCode & Self.foldedBit != 0 }

  /// Whether the name is spelled in upper case, as in the table.
  var hasCanonicalName: Bool { nameCode & LineParts.canonicalBit != 0 }

  /// Whether there may be a VALUE parameter.
  var mayDeclareType: Bool { nameCode & LineParts.declaresTypeBit != 0 }

  /// The index of the name in the property vocabulary, or nil if the name is unknown.
  var nameIndex: Int? {
    let index = nameCode & LineParts.unknownName
    return index == LineParts.unknownName ? nil : Int(index)
  }

  /// Whether the line has the name with this index.
  @inline(__always)
  func isNamed(_ index: Int) -> Bool {
    Int(nameCode & LineParts.unknownName) == index
  }

  /// The range of the physical lines.
  var physicalRange: Range<Int> { Int(start)..<Int(end) }

  /// The range of the unfolded text in the arena or the bytes.
  var textRange: Range<Int> { Int(textStart)..<Int(textStart) &+ Int(textCount) }
}

/// The positions of a content line's name and value, and the index of its name (RFC 5545 §3.1).
struct LineParts: BitwiseCopyable, Sendable {
  /// The code of an unknown name.
  static let unknownName: UInt16 = 0x1FFF
  static let canonicalBit: UInt16 = 0x4000
  static let declaresTypeBit: UInt16 = 0x2000

  /// The length of the name, or 0 for a line without a name, which is only preserved.
  var nameLength: UInt16 = 0
  /// The index of the name in the property vocabulary, and two flags.
  var nameCode = Self.unknownName
  /// The offset of the first byte after the colon.
  var valueStart: UInt32 = 0
  var parameterCount: UInt32 = 0

  /// Creates the parts of a line with an unknown name.
  init(nameLength: Int) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
  }

  /// Creates the parts of a line with a known name.
  @inline(__always)
  init(nameLength: Int, index: Int, isCanonical: Bool) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
    nameCode = UInt16(truncatingIfNeeded: index) | (isCanonical ? Self.canonicalBit : 0)
  }

  /// Records the number of parameters, and whether one of them is VALUE.
  @inline(__always)
  mutating func note(parameterCount count: Int, hasValue: Bool) {
    parameterCount = UInt32(truncatingIfNeeded: count)
    if hasValue { noteValueParameter() }
  }

  /// Records that there may be a VALUE parameter.
  mutating func noteValueParameter() { nameCode |= Self.declaresTypeBit }
}

/// The position of a component in a block, with its lines and children (RFC 5545 §3.6).
struct ComponentRecord: BitwiseCopyable, Sendable {
  /// The code of a name that is unknown or not in upper case.
  private static let otherName: UInt8 = .max

  /// The index of the name in the component vocabulary, or `otherName`.
  private let nameCode: UInt8
  /// Whether the component has its own END line.
  var isComplete = false
  /// Whether it contains an unmatched END line, which would close a parent when written there.
  var hasStrayEnd = false
  /// The index of the BEGIN line in the block's lines.
  let beginLine: UInt32
  /// The index of the first property; the others follow it directly.
  var firstProperty: UInt32
  var propertyCount: UInt32 = 0
  /// The index of the first entry in the block's list of children.
  var firstChild: UInt32 = 0
  var childCount: UInt32 = 0
  /// The range of the bytes from BEGIN through END; empty until END is read.
  let start: UInt32
  var end: UInt32

  /// The indices of the property lines.
  var propertyLines: Range<Int> {
    Int(firstProperty)..<Int(firstProperty) + Int(propertyCount)
  }

  /// The indices of the children in the block's list of children.
  var childPlaces: Range<Int> {
    Int(firstChild)..<Int(firstChild) + Int(childCount)
  }

  /// Creates the record of a component that begins.
  ///
  /// - Parameters:
  ///   - nameIndex: The index of the name if it is known and in upper case.
  ///   - beginLine: The index of the BEGIN line.
  ///   - start: The offset of that line.
  init(nameIndex: Int?, beginLine: Int, start: UInt32) {
    nameCode = nameIndex.map { UInt8(truncatingIfNeeded: $0) } ?? Self.otherName
    self.beginLine = UInt32(truncatingIfNeeded: beginLine)
    self.firstProperty = UInt32(truncatingIfNeeded: beginLine &+ 1)
    self.start = start
    self.end = start
  }

  /// The index of the name, or nil if it must be read from the BEGIN line.
  var nameIndex: Int? { nameCode == Self.otherName ? nil : Int(nameCode) }
}
