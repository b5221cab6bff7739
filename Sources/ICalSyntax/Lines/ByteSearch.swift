// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The search for a byte, which everything else waits for: libc's `memchr` reads 16 bytes and more at
/// a time.
enum ByteSearch {
  /// The index of the first such byte at or after `start`, or nil if there is none before `end`.
  static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int)
    -> Int?
  {
    guard start < end, start >= 0, end <= bytes.count else { return nil }
    // Safe: the guard keeps the range inside the span, and the pointer does not leave the closure.
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), end - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }
}
