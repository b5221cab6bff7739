// SPDX-License-Identifier: Apache-2.0

/// Where folded lines are unfolded to, one after the other.
///
/// An array that is longer than what was written, so that the many short pieces of folded lines are
/// copied into it without asking each time whether it has to grow.
struct TextArena {
  /// By how many bytes the array grows where there is room for them.
  private static let step = 1 << 16

  /// What was written, with padding behind it.
  private(set) var padded: [UInt8] = []
  /// How many bytes were written.
  private(set) var count = 0

  /// Makes room for the unfolded lines of so many bytes, which takes no memory until it is used.
  ///
  /// Enough for all of them where there are many, so that they are never moved; of a long file more than
  /// half may be folded.
  mutating func reserve(forBytes count: Int) {
    padded.reserveCapacity(count > Self.step ? count + Self.step : count / 2)
  }

  /// Copies a range of bytes behind what was written before.
  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    if padded.count &- count < length { grow(by: length) }
    let place = count
    var target = padded.mutableSpan
    target.copy(bytes, from: start, count: length, to: place)
    count = place &+ length
  }

  /// Takes back what was written after the first `count` bytes.
  mutating func truncate(to count: Int) {
    self.count = min(self.count, count)
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    let size = max(length, min(Self.step, max(256, padded.count)))
    padded.append(contentsOf: repeatElement(0, count: size))
  }
}
