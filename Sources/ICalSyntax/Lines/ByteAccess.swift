// SPDX-License-Identifier: Apache-2.0

import Glibc

#if arch(x86_64)
  private import _Builtin_intrinsics.intel.sse2
#endif

// The only file of this module that names unsafe operations. Each one is used where safe code costs
// several times as much, and each has its proof beside it: what is read lies inside the span, because
// the bounds are checked here or by the operation itself, and no pointer leaves its closure.

extension Span<UInt8> {
  /// Eight bytes from an index on, the first one lowest; what lies after the end of the span reads as 0.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard hasBytes(8, at: index) else { return lastWord(at: index) }
    // Safe: all eight bytes are inside, as was asked above, and any bits are a UInt64.
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Whether so many bytes, at least one, lie inside the span from an index on.
  @inline(__always)
  private func hasBytes(_ length: Int, at index: Int) -> Bool {
    // One comparison: an index below 0 is greater than any other as a number without a sign.
    UInt(bitPattern: index) < UInt(bitPattern: Swift.max(0, count &- length &+ 1))
  }

  @inline(never)
  private func lastWord(at index: Int) -> UInt64 {
    precondition(index >= 0, "index outside of the bytes")
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
  /// Sixteen bytes from an index on; what lies after the end of the span reads as 0.
  @inline(__always)
  func vector(at index: Int) -> SIMD16<UInt8> {
    guard hasBytes(16, at: index) else {
      // Safe: any bits are a vector.
      return unsafe unsafeBitCast(
        SIMD2(word(at: index).littleEndian, word(at: index &+ 8).littleEndian),
        to: SIMD16<UInt8>.self)
    }
    // Safe: all 16 bytes are inside, as was asked above, and any bits are a vector.
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Four times sixteen bytes from an index on; what lies after the end of the span reads as 0.
  @inline(__always)
  func vectors(
    at index: Int
  ) -> (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>) {
    guard hasBytes(64, at: index) else { return lastVectors(at: index) }
    // Safe: all 64 bytes are inside, as was asked above, and any bits are a vector.
    return unsafe (
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &+ 16, as: SIMD16<UInt8>.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &+ 32, as: SIMD16<UInt8>.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &+ 48, as: SIMD16<UInt8>.self)
    )
  }

  @inline(never)
  private func lastVectors(
    at index: Int
  ) -> (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>) {
    (
      vector(at: index), vector(at: index &+ 16), vector(at: index &+ 32),
      vector(at: index &+ 48)
    )
  }

  /// The index of the first such byte at or after `start`, or nil if there is none.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      let found = matches(byte, at: index)
      guard found == 0 else { return index &+ found.trailingZeroBitCount }
      index &+= 16
    }
    return nil
  }

  /// Which of the 16 bytes from an index on are this one, one bit for each; those after the end of the
  /// span are not.
  @inline(__always)
  func matches(_ byte: UInt8, at index: Int) -> UInt64 {
    if index &+ 16 <= count { return ByteVector.matches(vector(at: index), byte).bits }
    // The last 16 bytes are all there, and those before the index are shifted out.
    if count >= 16, index < count {
      let passed = UInt64(truncatingIfNeeded: index &+ 16 &- count)
      return ByteVector.matches(vector(at: count &- 16), byte).bits &>> passed
    }
    let found = ByteVector.matches(vector(at: index), byte).bits
    let left = UInt64(truncatingIfNeeded: max(0, count &- index))
    return found & (1 &<< left &- 1)
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// One bit for each of the 16 bytes of which something is true, the first one lowest.
  @inline(__always)
  var bits: UInt64 {
    bytes.highBits
  }

  /// A byte with all bits set for each of the 16 of which something is true, and 0 for any other.
  @inline(__always)
  var bytes: SIMD16<UInt8> {
    // Safe: a mask is a vector of bytes whose bits are all set or all clear.
    unsafe unsafeBitCast(self, to: SIMD16<UInt8>.self)
  }
}

extension SIMD16<UInt8> {
  /// The highest bit of each of the 16 bytes, that of the first one lowest.
  @inline(__always)
  var highBits: UInt64 {
    #if arch(x86_64)
      // Safe: any bits are a vector of the same size.
      return UInt64(
        UInt32(bitPattern: _mm_movemask_epi8(unsafe unsafeBitCast(self, to: __m128i.self))))
    #else
      // The products have the highest bits of the bytes side by side at their upper ends.
      let low = (words.0 >> 7 & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080
      let high = (words.1 >> 7 & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080
      return low >> 56 | (high >> 56) << 8
    #endif
  }
}

extension SIMD16<UInt8> {
  /// The first eight bytes and the others, each as a word with the first byte lowest.
  @inline(__always)
  var words: (UInt64, UInt64) {
    // Safe: any bits are a pair of UInt64, of the same size.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return (words[0].littleEndian, words[1].littleEndian)
  }

  /// The bytes that are less than a number, as numbers with a sign.
  @inline(__always)
  func isBelow(_ limit: Int8) -> SIMDMask<SIMD16<Int8>> {
    // Safe: any bits are a number with a sign, of the same size.
    unsafe unsafeBitCast(self, to: SIMD16<Int8>.self) .< SIMD16<Int8>(repeating: limit)
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

  /// Whether all bytes of a range are printable ASCII: from 0x20 through 0x7E.
  @inline(__always)
  func isPrintable(from start: Int, to end: Int) -> Bool {
    precondition(start >= 0 && end <= count, "range outside of the bytes")
    guard end &- start >= 16 else { return isPrintableShort(from: start, to: end) }
    var index = start
    while index &+ 16 <= end {
      guard ByteVector.unprintable(vector(at: index)) == 0 else { return false }
      index &+= 16
    }
    return index == end || ByteVector.unprintable(vector(at: end &- 16)) == 0
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
  /// How many bytes are copied in the place of fewer ones, if these are there on both sides: a physical
  /// line has no more.
  ///
  /// It takes five moves, and no choice between ways for many lengths that nobody can foretell.
  static var copiedLength: Int { 80 }

  /// Appends the bytes of a span from one index up to another one.
  @inline(__always)
  mutating func append(copying source: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    precondition(start >= 0 && length >= 0 && end <= source.count, "range outside of the bytes")
    precondition(length <= freeCapacity, "no room for the bytes")
    let few = Self.copiedLength
    let isShort = length <= few && source.count &- start >= few && freeCapacity >= few
    // Safe: the preconditions and the comparisons keep what is read inside the source and what is
    // written inside the free room, which no source can overlap and where what lies behind the count
    // is nothing yet; the pointers do not leave their closures.
    unsafe source.withUnsafeBufferPointer { from in
      unsafe withUnsafeMutableBufferPointer { room, count in
        guard let from = from.baseAddress, let to = room.baseAddress else { return }
        if isShort {
          unsafe memcpy(to + count, from + start, few)
        } else {
          unsafe memcpy(to + count, from + start, length)
        }
        count &+= length
      }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Copies a few bytes of another span, from `start` on, to an index, and overwrites what is behind them.
  ///
  /// - Returns: Whether they were copied: if there are at most as many as a physical line has, and as
  ///   many as that on both sides.
  @inline(__always)
  mutating func copyFew(
    _ source: Span<UInt8>, from start: Int, count length: Int, to index: Int
  ) -> Bool {
    let few = OutputSpan<UInt8>.copiedLength
    guard length <= few, (length | start | index) >= 0, source.count &- start >= few,
      count &- index >= few
    else { return false }
    // Safe: the comparisons keep both ranges inside the spans, which cannot be the same memory as one of
    // them is held exclusively; no pointer leaves its closure.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe memcpy(to + index, from + start, few)
      }
    }
    return true
  }

  /// Copies `count` bytes of another span, from `start` on, to an index.
  mutating func copy(_ source: Span<UInt8>, from start: Int, count length: Int, to index: Int) {
    precondition(
      length >= 0 && start >= 0 && index >= 0 && length <= source.count &- start
        && length <= count &- index, "range outside of the bytes")
    // Safe: the precondition keeps both ranges inside the spans, as above.
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
