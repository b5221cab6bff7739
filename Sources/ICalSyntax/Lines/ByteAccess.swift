// SPDX-License-Identifier: Apache-2.0

// The only file of this module that names unsafe operations. Each one is used where safe code costs
// several times as much, and each has its proof beside it: what is read lies inside the span, because
// the bounds are checked here or by the operation itself, and no pointer leaves its closure.

extension Span<UInt8> {
  /// Eight bytes from an index on, the first one lowest; what lies after the end of the span reads as 0.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard index &+ 8 <= count else { return lastWord(at: index) }
    // Safe: `unsafeLoadUnaligned` checks that all eight bytes are inside, and any bits are a UInt64.
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(never)
  private func lastWord(at index: Int) -> UInt64 {
    guard count < 8 else {
      // Safe as above; the bytes before `index` are shifted out.
      let last = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(
          fromByteOffset: count &- 8, as: UInt64.self))
      return index < count ? last >> UInt64(truncatingIfNeeded: (index &+ 8 &- count) &* 8) : 0
    }
    var word: UInt64 = 0
    var place = count
    while place > index {
      place &-= 1
      word = word << 8 | UInt64(self[place])
    }
    return word
  }

  /// Whether the bytes are the same as those of another span.
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

extension Span<UInt8> {
  /// The index of the first such byte at or after `start`, or nil if there is none.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      let found = ByteWord.matches(word(at: index), byte)
      guard found == 0 else {
        index &+= found.trailingZeroBitCount >> 3
        return index < count ? index : nil
      }
      index &+= 8
    }
    return nil
  }
}

extension Array where Element == UInt8 {
  /// Appends the bytes of a span.
  package mutating func append(copying bytes: Span<UInt8>) {
    // Safe: the buffer does not leave the closure.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Copies the bytes of a span.
  package init(copying bytes: Span<UInt8>) {
    // Safe: the buffer does not leave the closure.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension String {
  /// Decodes bytes as UTF-8, with U+FFFD for what is not.
  package init(copying bytes: Span<UInt8>) {
    // Safe: the buffer does not leave the closure.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
