// SPDX-License-Identifier: Apache-2.0

/// Finds the name and the value of a content line that is as the grammar wants it (RFC 5545 §3.1).
///
/// Nearly every line is. It gives up on any other, which `ContentLineParser` then looks at closely.
struct LineSplitter {
  let names: NameTable

  /// Finds where the name and the value are.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that the line lies in; those after it are looked at, but do not count.
  ///   - start: Where the line starts; it has no control characters.
  ///   - end: Where it ends.
  /// - Returns: The parts, or nil if the line is not regular.
  @inline(__always)
  func split(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts? {
    let head = bytes.vector(at: start)
    let separators = ByteVector.separators(head)
    let count = separators.trailingZeroBitCount
    var parts: LineParts
    if separators != 0, let name = names.find(NameKey(head, count: count)) {
      parts = LineParts(nameLength: count, index: name.index, isCanonical: name.isCanonical)
    } else {
      parts = otherName(in: bytes, from: start, to: end)
    }
    var index = start &+ Int(parts.nameLength)
    guard index > start, index < end else { return nil }
    if bytes[index] == ASCII.semicolon {
      let parameters = parameters(in: bytes, from: index, to: end)
      index = parameters.end
      guard index < end else { return nil }
      parts.note(parameterCount: parameters.count, hasValue: parameters.hasValue)
    }
    guard bytes[index] == ASCII.colon else { return nil }
    parts.valueStart = UInt32(truncatingIfNeeded: index &- start &+ 1)
    return parts
  }

  /// The parts of a line whose name is long, or one that no table knows; without a name if there is
  /// none, or one that is too long.
  @inline(never)
  private func otherName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts {
    let count = endOfName(in: bytes, from: start, to: end) &- start
    if 16...NameKey.limit ~= count, let name = names.find(NameKey(bytes, at: start, count: count)) {
      return LineParts(nameLength: count, index: name.index, isCanonical: name.isCanonical)
    }
    return LineParts(nameLength: count < Int(UInt16.max) ? count : 0)
  }

  /// The index of the first byte that may not stand in a name.
  @inline(__always)
  private func endOfName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let others = ByteVector.nonNames(bytes.vector(at: index))
      if others != 0 { return min(end, index &+ others.trailingZeroBitCount) }
      index &+= 16
    }
    return end
  }

  /// What is known of the parameters of a line.
  private struct Parameters {
    /// The index of the colon after them, or the end of the line if they are not as they should be.
    let end: Int
    var count = 0
    /// Whether one of them is VALUE.
    var hasValue = false
  }

  /// Goes through the parameters, of which the first one begins at a semicolon.
  @inline(never)
  private func parameters(
    in bytes: Span<UInt8>, from semicolon: Int, to end: Int
  ) -> Parameters {
    var index = semicolon
    var count = 0
    var hasValue = false
    while true {
      count &+= 1
      let nameStart = index &+ 1
      let head = bytes.vector(at: nameStart)
      let others = ByteVector.nonCapitals(head)
      index = nameStart &+ others.trailingZeroBitCount
      if others == 0 || index >= end || bytes[index] != ASCII.equals {
        index = endOfName(in: bytes, from: nameStart, to: end)
        guard index < end, bytes[index] == ASCII.equals else { return Parameters(end: end) }
      }
      guard index > nameStart else { return Parameters(end: end) }
      if index &- nameStart == 5, head.words.0 & Self.valueMask == Self.valueName {
        hasValue = true
      }
      var stop: UInt8
      repeat {
        let start = index &+ 1
        index = endOfPlainValue(in: bytes, from: start, to: end)
        guard index < end else { return Parameters(end: end) }
        stop = bytes[index]
        if stop == ASCII.quote {
          guard index == start, let quote = bytes.firstIndex(of: ASCII.quote, from: start &+ 1),
            quote &+ 1 < end
          else { return Parameters(end: end) }
          index = quote &+ 1
          stop = bytes[index]
        }
        if stop == ASCII.comma, bytes[index &- 1] == ASCII.backslash {
          return Parameters(end: end)
        }
      } while stop == ASCII.comma
      guard stop == ASCII.semicolon else {
        return Parameters(end: index, count: count, hasValue: hasValue)
      }
    }
  }

  /// `VALUE` as a word without case.
  private static let valueName: UInt64 = 0x45_55_4C_41_56
  private static let valueMask: UInt64 = 0xDF_DF_DF_DF_DF

  /// The index of the first comma, semicolon, colon or quote, or one that is not before `end`.
  @inline(__always)
  private func endOfPlainValue(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let stops = ByteVector.parameterStops(bytes.vector(at: index))
      guard stops == 0 else { return index &+ stops.trailingZeroBitCount }
      index &+= 16
    }
    return end
  }
}
