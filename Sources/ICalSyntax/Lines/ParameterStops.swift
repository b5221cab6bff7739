// SPDX-License-Identifier: Apache-2.0

/// An iterator over the bytes that delimit parameter values (RFC 5545 §3.1).
///
/// These are colons, semicolons, commas and quotes. It searches 64 bytes at a time, because a
/// separate search from each match would have to wait for the result of the previous one.
struct ParameterStops {
  /// The start of the 64 bytes.
  private var base: Int
  /// The remaining matches among the 64 bytes, one bit for each.
  private var marks: UInt64

  /// Creates an iterator that starts at an index.
  @inline(__always)
  init(in bytes: Span<UInt8>, from start: Int) {
    base = start
    marks = ByteVector.parameterStops(bytes.vectors(at: start))
  }

  /// Returns the index of the next match, or an index of at least `end`.
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
