// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A blob in the database, which is read and written in parts.
///
/// A query returns a blob of several megabytes as a copy beside the result, and a statement needs
/// the whole blob to change one byte. Besides `SystemCalls` and `RowStatement` this is the store's
/// only file with unsafe code. It cannot be copied, because the first copy to be released would
/// close the blob for all.
@safe struct StoredBytes: ~Copyable {
  enum Access {
    case reading, writing
  }

  /// The length of the parts that are compared, in bytes.
  private static let partLength = 1 << 16

  private let blob: OpaquePointer

  /// Opens the blob in a column of an existing row.
  init(_ column: String, of table: String, row: Int64, for access: Access, in db: Database) throws {
    var blob: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      db.sqliteConnection, "main", table, column, row, access == .writing ? 1 : 0, &blob)
    guard code == SQLITE_OK, let blob = unsafe blob else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    unsafe self.blob = blob
  }

  deinit { unsafe sqlite3_blob_close(blob) }

  /// Reads the bytes in a range.
  func read(_ range: Range<Int>) throws -> [UInt8] {
    var code = SQLITE_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      guard let start = buffer.baseAddress, !range.isEmpty else { return }
      code = unsafe sqlite3_blob_read(blob, start, Int32(range.count), Int32(range.lowerBound))
      count = code == SQLITE_OK ? range.count : 0
    }
    try Self.check(code)
    return bytes
  }

  /// Writes bytes at an offset; the length of the blob cannot change.
  func write(_ bytes: [UInt8], at place: Int) throws {
    try write(bytes[...], at: place)
  }

  /// Writes those parts of the bytes that differ from the stored ones.
  func update(_ bytes: [UInt8], at place: Int) throws {
    for start in stride(from: 0, to: bytes.count, by: Self.partLength) {
      let part = bytes[start..<min(start + Self.partLength, bytes.count)]
      let known = try read(place + start..<place + start + part.count)
      if known[...] != part { try write(part, at: place + start) }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, at place: Int) throws {
    guard !bytes.isEmpty else { return }
    let code = unsafe bytes.withUnsafeBytes {
      unsafe sqlite3_blob_write(blob, $0.baseAddress, Int32($0.count), Int32(place))
    }
    try Self.check(code)
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
