// SPDX-License-Identifier: Apache-2.0

import Glibc

#if arch(x86_64)
  private import _Builtin_intrinsics.intel.sse2
#endif

// This is the only file of this module with unsafe operations. Each one is used where safe code is
// several times slower. A comment beside each proves its safety: all reads are inside the span,
// because the bounds are checked here or by the operation itself, and no pointer escapes its
// closure.

extension Span<UInt8> {
  /// Loads eight bytes in little-endian order; bytes after the end of the span are 0.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard hasBytes(8, at: index) else { return lastWord(at: index) }
    // Safe: all eight bytes are inside the span, as checked above, and any bits are a valid UInt64.
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Whether `length` bytes (at least one) from an index on are inside the span.
  @inline(__always)
  private func hasBytes(_ length: Int, at index: Int) -> Bool {
    // A single comparison suffices: as an unsigned number, a negative index exceeds any count.
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
    guard index < count else { return 0 }
    return fewBytes &>> UInt64(truncatingIfNeeded: index &* 8)
  }

  /// All bytes of a span of at most seven, in little-endian order.
  private var fewBytes: UInt64 {
    guard count >= 4 else {
      var word: UInt64 = 0
      for index in indices.reversed() { word = word << 8 | UInt64(self[index]) }
      return word
    }
    // Safe: the bounds are checked. The two halves overlap where there are fewer than eight bytes.
    let first = UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(as: UInt32.self))
    let last = UInt32(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromByteOffset: count &- 4, as: UInt32.self))
    return UInt64(first) | UInt64(last) << UInt64(truncatingIfNeeded: (count &- 4) &* 8)
  }

  /// Whether two spans contain the same bytes.
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    // Safe: both buffers have that many bytes, and do not escape the closures.
    return unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { others in
        guard let own = own.baseAddress, let others = others.baseAddress else { return true }
        return unsafe memcmp(own, others, count) == 0
      }
    }
  }
}

extension Span<UInt8> {
  /// Loads sixteen bytes from an index on; bytes after the end of the span are 0.
  @inline(__always)
  func vector(at index: Int) -> SIMD16<UInt8> {
    guard hasBytes(16, at: index) else {
      // Safe: any bits are a valid vector.
      return unsafe unsafeBitCast(
        SIMD2(word(at: index).littleEndian, word(at: index &+ 8).littleEndian),
        to: SIMD16<UInt8>.self)
    }
    // Safe: all 16 bytes are inside the span, as checked above, and any bits are a valid vector.
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Loads four vectors of sixteen bytes; bytes after the end of the span are 0.
  @inline(__always)
  func vectors(
    at index: Int
  ) -> (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>) {
    guard hasBytes(64, at: index) else { return lastVectors(at: index) }
    // Safe: all 64 bytes are inside the span, as checked above, and any bits are a valid vector.
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

  /// The index of the first occurrence of a byte at or after `start`, or nil if there is none.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      let found = matches(byte, at: index)
      guard found == 0 else { return index &+ found.trailingZeroBitCount }
      index &+= 16
    }
    return nil
  }

  /// A bit mask of the occurrences of a byte in the 16 bytes from an index on.
  ///
  /// Bytes after the end of the span do not match.
  @inline(__always)
  func matches(_ byte: UInt8, at index: Int) -> UInt64 {
    if index &+ 16 <= count { return ByteVector.matches(vector(at: index), byte).bits }
    // The last 16 bytes of the span are loaded, and those before the index are shifted out.
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
  /// One bit for each true lane; the first lane is the lowest bit.
  @inline(__always)
  var bits: UInt64 {
    bytes.highBits
  }

  /// A byte with all bits set for each true lane, and 0 for the others.
  @inline(__always)
  var bytes: SIMD16<UInt8> {
    // Safe: each byte of a mask has all bits set or all bits clear.
    unsafe unsafeBitCast(self, to: SIMD16<UInt8>.self)
  }
}

extension SIMD16<UInt8> {
  /// The highest bit of each of the 16 bytes; the first byte is the lowest bit.
  @inline(__always)
  var highBits: UInt64 {
    #if arch(x86_64)
      // Safe: both vectors have the same size, and any bits are valid.
      return UInt64(
        UInt32(bitPattern: _mm_movemask_epi8(unsafe unsafeBitCast(self, to: __m128i.self))))
    #else
      // The multiplication collects the highest bits of the bytes in the top byte of the product.
      let low = (words.0 >> 7 & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080
      let high = (words.1 >> 7 & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080
      return low >> 56 | (high >> 56) << 8
    #endif
  }
}

extension SIMD16<UInt8> {
  /// The bytes as two little-endian words.
  @inline(__always)
  var words: (UInt64, UInt64) {
    // Safe: the types have the same size, and any bits are valid.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return (words[0].littleEndian, words[1].littleEndian)
  }

  /// The bytes that are below a limit as signed numbers.
  @inline(__always)
  func isBelow(_ limit: Int8) -> SIMDMask<SIMD16<Int8>> {
    // Safe: the types have the same size, and any bits are valid.
    unsafe unsafeBitCast(self, to: SIMD16<Int8>.self) .< SIMD16<Int8>(repeating: limit)
  }
}

extension Span<UInt8> {
  /// The index of the first line feed at or after `start`, or `end` if there is none before it.
  @inline(__always)
  func firstLineFeed(from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && start <= end && end <= count, "range outside of the bytes")
    // Safe: the precondition keeps the range inside the span, and the pointer does not escape the
    // closure. The C library's `memchr` checks 32 bytes at a time.
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(ASCII.lineFeed), end &- start)
      else { return end }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// Whether all bytes of a range are printable ASCII, from 0x20 through 0x7E.
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

  /// Like `isPrintable(from:to:)`, for a range that is shorter than a vector.
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
  /// The number of bytes to copy for shorter texts, if both sides have room for so many.
  ///
  /// It is the usual maximum length of a physical line. A copy of fixed length takes five moves,
  /// without unpredictable branches on the length.
  static var copiedLength: Int { 80 }

  /// Appends the bytes in a range of a span.
  @inline(__always)
  mutating func append(copying source: Span<UInt8>, from start: Int, to end: Int) {
    let length = end &- start
    precondition(start >= 0 && length >= 0 && end <= source.count, "range outside of the bytes")
    precondition(length <= freeCapacity, "no room for the bytes")
    let few = Self.copiedLength
    let isShort = length <= few && source.count &- start >= few && freeCapacity >= few
    // Safe: the preconditions and comparisons keep the reads inside the source and the writes
    // inside the free capacity. The free capacity is uninitialized and cannot overlap any source.
    // The pointers do not escape their closures.
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

  /// Appends the bytes of a literal.
  @inline(__always)
  mutating func append(copying literal: StaticString) {
    precondition(literal.hasPointerRepresentation, "a literal of one scalar has no bytes")
    let length = literal.utf8CodeUnitCount
    precondition(length <= freeCapacity, "no room for the bytes")
    // Safe: the bytes of a literal exist as long as the program, and the precondition keeps the
    // writes inside the free capacity. The pointer does not escape the closure.
    unsafe withUnsafeMutableBufferPointer { room, count in
      guard let to = room.baseAddress else { return }
      unsafe memcpy(to + count, literal.utf8Start, length)
      count &+= length
    }
  }
}

extension MutableSpan<UInt8> {
  /// Copies a few bytes of another span to an index, and overwrites the bytes after them.
  ///
  /// - Returns: Whether the bytes were copied. That requires at most `copiedLength` bytes, and room
  ///   for that many on both sides.
  @inline(__always)
  mutating func copyFew(
    _ source: Span<UInt8>, from start: Int, count length: Int, to index: Int
  ) -> Bool {
    let few = OutputSpan<UInt8>.copiedLength
    guard length <= few, (length | start | index) >= 0, source.count &- start >= few,
      count &- index >= few
    else { return false }
    // Safe: the comparisons keep both ranges inside the spans. The spans cannot overlap, because
    // one of them is accessed exclusively. No pointer escapes its closure.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe memcpy(to + index, from + start, few)
      }
    }
    return true
  }

  /// Copies `length` bytes of another span to an index.
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

  /// Appends the bytes in a range of a span.
  mutating func append(copying bytes: Span<UInt8>, from start: Int, to end: Int) {
    append(addingCapacity: end &- start) { $0.append(copying: bytes, from: start, to: end) }
  }

  /// Appends the bytes of a literal.
  mutating func append(copying literal: StaticString) {
    append(addingCapacity: literal.utf8CodeUnitCount) { $0.append(copying: literal) }
  }

  /// Copies the bytes of a span.
  package init(copying bytes: Span<UInt8>) {
    // Safe: the buffer does not escape the closure.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension String {
  /// Decodes bytes as UTF-8; invalid sequences become U+FFFD.
  package init(copying bytes: Span<UInt8>) {
    // Safe: the buffer does not escape the closure.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes bytes as UTF-8; nil if they are not valid.
  ///
  /// `String(validating:as:)` gives the same, and takes more than twice the instructions.
  package init?(validating bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: text)
  }
}
