// SPDX-License-Identifier: Apache-2.0

/// The bytes that end a parameter value or may not stand in one, one after the other: colons, semicolons,
/// commas and quotes (RFC 5545 §3.1).
///
/// They are looked for in 64 bytes at a time, since to look for the next one where the last one was found
/// would be to wait for each of them.
struct ParameterStops {
  /// Where the 64 bytes begin.
  private var base: Int
  /// Those among them that did not come yet, one bit for each.
  private var marks: UInt64

  /// Begins at an index.
  @inline(__always)
  init(in bytes: Span<UInt8>, from start: Int) {
    base = start
    marks = ByteVector.parameterStops(bytes.vectors(at: start))
  }

  /// The index of the next one, or one that is not before `end`.
  @inline(__always)
  mutating func next(in bytes: Span<UInt8>, upTo end: Int) -> Int {
    while marks == 0 {
      base &+= 64
      guard base < end else { return end }
      marks = ByteVector.parameterStops(bytes.vectors(at: base))
    }
    let place = base &+ marks.trailingZeroBitCount
    marks &= marks &- 1
    return place
  }
}
