// SPDX-License-Identifier: Apache-2.0

import CInflate
import Glibc

/// An error in a ZIP archive, or in one of its entries.
package struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, in lower case and without a full stop.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A file that is read at any offset.
///
/// It cannot be copied, because the first copy to be released would close the file for all.
struct ArchiveFile: ~Copyable {
  private let descriptor: Int32
  /// The size when the file was opened, in bytes.
  let size: Int

  /// Opens an ordinary file.
  ///
  /// - Throws: `SystemError`.
  init(path: String) throws(SystemError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError() }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = SystemError()
      _ = close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      throw SystemError(EINVAL)
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { _ = close(descriptor) }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte.
  ///   - count: The number of bytes.
  /// - Returns: Exactly this number of bytes.
  /// - Throws: `ZipError` if the file ends before the last of them; `SystemError`.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    let (end, isTooFar) = offset.addingReportingOverflow(count)
    guard offset >= 0, count >= 0, !isTooFar, end <= size else {
      throw ZipError("the archive is truncated")
    }
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if result > 0 {
          filled += result
        } else if result == 0 {
          return
        } else if errno != EINTR {
          failure = SystemError()
          return
        }
      }
    }
    if let failure { throw failure }
    guard bytes.count == count else { throw ZipError("the archive is truncated") }
    return bytes
  }
}

/// The numbers of a record, which are stored with their least significant byte first.
struct ZipRecord {
  private let bytes: ArraySlice<UInt8>

  /// Takes the bytes of a record.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// The number with some bytes at an offset.
  ///
  /// - Throws: `ZipError` if the record is too short, or if the number is larger than any file.
  func number(at offset: Int, bytes size: Int) throws(ZipError) -> Int {
    var value: UInt64 = 0
    for byte in try part(at: offset, count: size).reversed() { value = value << 8 | UInt64(byte) }
    guard let number = Int(exactly: value) else { throw ZipError("the archive is damaged") }
    return number
  }

  /// Some bytes at an offset.
  ///
  /// - Throws: `ZipError` if the record is too short.
  func part(at offset: Int, count size: Int) throws(ZipError) -> ArraySlice<UInt8> {
    guard offset >= 0, size >= 0, offset <= bytes.count, size <= bytes.count - offset else {
      throw ZipError("the archive is truncated")
    }
    let start = bytes.startIndex + offset
    return bytes[start..<start + size]
  }
}

/// The checksum of an entry (CRC-32).
struct ZipChecksum {
  private(set) var value: UInt32 = 0

  /// Adds the next bytes.
  mutating func add(_ bytes: [UInt8]) {
    value = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe cinflate_crc(value, buffer.baseAddress, buffer.count)
    }
  }

  /// The checksum of some bytes.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum = ZipChecksum()
    checksum.add(Array(bytes))
    return checksum.value
  }
}
