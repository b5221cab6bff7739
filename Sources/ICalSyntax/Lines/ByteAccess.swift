// SPDX-License-Identifier: Apache-2.0

import Glibc

// The only file of this module that names unsafe operations. Each one is used where safe code costs
// several times as much, and each has its proof beside it: what is read lies inside the span, because
// the bounds are checked here or by the operation itself, and no pointer leaves its closure.

extension Span<UInt8> {
  /// Eight bytes from an index on, the first one lowest; what lies after the end of the span reads as 0.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard index &+ 8 <= count else { return lastWord(at: index) }
    precondition(index >= 0, "index outside of the bytes")
    // Safe: all eight bytes are inside, as was asked above, and any bits are a UInt64.
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self))
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
    precondition(start >= 0, "index outside of the bytes")
    var index = start
    while index &+ 16 <= count {
      // Safe: all 16 bytes are inside, as was asked above, and any bits are a vector.
      let part = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      let difference = part ^ SIMD16(repeating: byte)
      if let place = Self.firstHighBit(of: (difference &- 1) & ~difference) {
        return index &+ place
      }
      index &+= 16
    }
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

extension Span<UInt8> {
  /// The index of the first line feed at or after `start`, or `end` if there is none before it.
  @inline(__always)
  func firstLineFeed(from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && start <= end && end <= count, "range outside of the bytes")
    // Safe: the precondition keeps the range inside the span, and the pointer does not leave the
    // closure. `memchr` of the C library looks at 32 bytes at a time.
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(ASCII.lineFeed), end &- start)
      else { return end }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// The index of the first byte at or after `start` that is not printable ASCII, or `end` if there is
  /// none before it.
  @inline(__always)
  func firstUnprintable(from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= count, "range outside of the bytes")
    var index = start
    while index &+ 16 <= end {
      // Safe: the range is inside, as was asked above, and any bits are a vector.
      let part = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      if let place = Self.firstHighBit(of: Self.unprintableBits(part)) { return index &+ place }
      index &+= 16
    }
    while index < end, self[index] >= ASCII.space, self[index] < ASCII.delete { index &+= 1 }
    return index
  }

  /// The place of the first of 16 bytes that has its highest bit set, or nil if none has.
  @inline(__always)
  fileprivate static func firstHighBit(of bits: SIMD16<UInt8>) -> Int? {
    // Safe: any bits are a pair of UInt64, of the same size.
    let words = unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self)
    guard (words[0] | words[1]) & ByteWord.highBits != 0 else { return nil }
    let low = words[0] & ByteWord.highBits
    return low != 0
      ? low.trailingZeroBitCount >> 3
      : 8 &+ (words[1] & ByteWord.highBits).trailingZeroBitCount >> 3
  }

  /// The index of the first colon, semicolon, comma or quote at or after `start`, or `end` if there is
  /// none before it.
  @inline(__always)
  func firstParameterStop(from start: Int, to end: Int) -> Int {
    var index = start
    precondition(start >= 0, "index outside of the bytes")
    while index &+ 16 <= count, index < end {
      // Safe: all 16 bytes are inside, as was asked above, and any bits are a vector.
      let part = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      // A byte is 0 if it is one of those, and only 0 has the highest bit both in what is one less
      // and in what is its complement.
      let separator = (part | 1) ^ ASCII.semicolon
      let (comma, quote) = (part ^ ASCII.comma, part ^ ASCII.quote)
      let stops = (separator &- 1) & ~separator | (comma &- 1) & ~comma | (quote &- 1) & ~quote
      if let place = Self.firstHighBit(of: stops) { return min(end, index &+ place) }
      index &+= 16
    }
    while index < end {
      switch self[index] {
      case ASCII.colon, ASCII.semicolon, ASCII.comma, ASCII.quote: return index
      default: index &+= 1
      }
    }
    return end
  }

  /// Whether all bytes of a range are printable ASCII: from 0x20 through 0x7E.
  @inline(__always)
  func isPrintable(from start: Int, to end: Int) -> Bool {
    guard end &- start >= 16 else { return isPrintableShort(from: start, to: end) }
    var bits = SIMD16<UInt8>(repeating: 0)
    var index = start
    while index &+ 16 <= end {
      bits |= Self.unprintableBits(vector(at: index))
      index &+= 16
    }
    if index < end { bits |= Self.unprintableBits(vector(at: end &- 16)) }
    // Safe: any bits are a pair of UInt64, of the same size.
    let words = unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & ByteWord.highBits == 0
  }

  /// 16 bytes from an index on, all of which must be inside.
  @inline(__always)
  private func vector(at index: Int) -> SIMD16<UInt8> {
    // Safe: `unsafeLoadUnaligned` checks that all 16 bytes are inside, and any bits are a vector.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Sets the highest bit of every one of 16 bytes that is below 0x20 or above 0x7E.
  @inline(__always)
  private static func unprintableBits(_ part: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Below 0x20 the difference wraps around, at 0x7F the sum reaches 0x80, and all others above
    // have the bit already.
    part | (part &- 0x20) | (part &+ 1)
  }

  /// The same for a range that is too short for a vector.
  @inline(__always)
  private func isPrintableShort(from start: Int, to end: Int) -> Bool {
    var index = start
    while index < end {
      let length = end &- index
      var part = ByteWord.prefix(word(at: index), length)
      if length < 8 { part |= 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: length &* 8) }
      guard (ByteWord.controls(part) | part & ByteWord.highBits) == 0 else { return false }
      index &+= 8
    }
    return true
  }
}

extension OutputSpan where Element == UInt8 {
  /// Appends the bytes of a span from one index up to another one.
  @inline(__always)
  mutating func append(copying source: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    precondition(start >= 0 && length >= 0 && end <= source.count, "range outside of the bytes")
    precondition(length <= freeCapacity, "no room for the bytes")
    // Safe: the preconditions keep what is read inside the source and what is written inside the free
    // room, which no source can overlap; the pointers do not leave their closures.
    unsafe source.withUnsafeBufferPointer { from in
      unsafe withUnsafeMutableBufferPointer { room, count in
        guard let from = from.baseAddress, let to = room.baseAddress else { return }
        unsafe memcpy(to + count, from + start, length)
        count &+= length
      }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Copies `count` bytes of another span, from `start` on, to an index.
  @inline(__always)
  mutating func copy(_ source: Span<UInt8>, from start: Int, count length: Int, to index: Int) {
    precondition(
      length >= 0 && start >= 0 && index >= 0 && length <= source.count &- start
        && length <= count &- index, "range outside of the bytes")
    // Safe: the precondition keeps both ranges inside the spans, which cannot be the same memory as
    // one of them is held exclusively; no pointer leaves its closure.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe memcpy(to + index, from + start, length)
      }
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends the bytes of a span.
  package mutating func append(copying bytes: Span<UInt8>) {
    append(copying: bytes, from: 0, to: bytes.count)
  }

  /// Appends the bytes of a span from one index up to another one.
  mutating func append(copying bytes: Span<UInt8>, from start: Int, to end: Int) {
    append(addingCapacity: end &- start) { $0.append(copying: bytes, from: start, to: end) }
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
