// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A statement that is run for each row of a batch, with values that SQLite takes as they are.
///
/// GRDB boxes the values of each row, makes a list of them, checks and copies it; for the rows of a first
/// sync that took three tenths of all it costs to write them. Beside `SystemCalls` this is the only file
/// of the store with unsafe code.
struct RowStatement {
  /// Has SQLite copy what it is given.
  private static let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let statement: Statement
  private var next: Int32 = 1

  /// Prepares a statement whose values are given by their places alone.
  init(_ sql: String, _ db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    // GRDB runs no statement without values. These are replaced before it is run.
    let count = unsafe sqlite3_bind_parameter_count(statement.sqliteStatement)
    statement.setUncheckedArguments(
      StatementArguments(repeatElement(DatabaseValue.null, count: Int(count))))
  }

  /// Gives the next value, a number.
  mutating func add(_ number: Int64) throws {
    try unsafe add { statement, place in unsafe sqlite3_bind_int64(statement, place, number) }
  }

  /// Gives the next value, a text up to its first NUL byte, or none.
  mutating func add(text: String?) throws {
    try unsafe add { statement, place in
      guard let text else { return unsafe sqlite3_bind_null(statement, place) }
      return unsafe sqlite3_bind_text(statement, place, text, -1, Self.copying)
    }
  }

  /// Gives the next value, the bytes of a text.
  mutating func add(bytesOf text: String) throws {
    var text = text
    try text.withUTF8 { try unsafe add(UnsafeRawBufferPointer($0)) }
  }

  /// Gives the next value, bytes or none.
  mutating func add(_ bytes: [UInt8]?) throws {
    guard let bytes else { return try add(text: nil) }
    try unsafe bytes.withUnsafeBytes { try unsafe add($0) }
  }

  /// Runs the statement with the values that were given.
  mutating func run() throws {
    next = 1
    try statement.execute()
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) throws {
    try unsafe add { statement, place in
      // Of nothing at an address SQLite makes a blob, and of nothing at none a null.
      guard bytes.count > 0 else { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
      return unsafe sqlite3_bind_blob64(
        statement, place, bytes.baseAddress, sqlite3_uint64(bytes.count), Self.copying)
    }
  }

  private mutating func add(_ bind: (SQLiteStatement, Int32) -> Int32) throws {
    let statement = unsafe statement.sqliteStatement
    // What has run takes values again once it is reset; what went wrong, running it has told.
    if next == 1 { unsafe sqlite3_reset(statement) }
    let code = unsafe bind(statement, next)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    next += 1
  }
}
