// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A statement for each row of a batch, with directly bound values.
///
/// GRDB boxes the values of each row, and collects, checks and copies them. For the rows of a first
/// sync that took 30 % of the writing time. Besides `SystemCalls` and `StoredBytes` this is the
/// store's only file with unsafe code.
struct RowStatement {
  /// Makes SQLite copy the bound values.
  private static let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let statement: Statement
  private var next: Int32 = 1

  /// Prepares a statement whose values are bound only by position.
  init(_ sql: String, _ db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    // GRDB requires arguments. These are replaced before each execution.
    let count = unsafe sqlite3_bind_parameter_count(statement.sqliteStatement)
    statement.setUncheckedArguments(
      StatementArguments(repeatElement(DatabaseValue.null, count: Int(count))))
  }

  /// Binds the next value, an integer.
  mutating func add(_ number: Int64) throws {
    try unsafe add { statement, place in unsafe sqlite3_bind_int64(statement, place, number) }
  }

  /// Binds the next value, a text up to its first NUL byte, or null.
  mutating func add(text: String?) throws {
    try unsafe add { statement, place in
      guard let text else { return unsafe sqlite3_bind_null(statement, place) }
      return unsafe sqlite3_bind_text(statement, place, text, -1, Self.copying)
    }
  }

  /// Binds the next value, the bytes of a text.
  mutating func add(bytesOf text: String) throws {
    var text = text
    try text.withUTF8 { try unsafe add(UnsafeRawBufferPointer($0)) }
  }

  /// Binds the next value, bytes or null.
  mutating func add(_ bytes: [UInt8]?) throws {
    guard let bytes else { return try add(text: nil) }
    try unsafe bytes.withUnsafeBytes { try unsafe add($0) }
  }

  /// Executes the statement with the bound values.
  mutating func run() throws {
    next = 1
    try statement.execute()
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) throws {
    try unsafe add { statement, place in
      // SQLite creates an empty blob only for a non-null address, and null otherwise.
      guard bytes.count > 0 else { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
      return unsafe sqlite3_bind_blob64(
        statement, place, bytes.baseAddress, sqlite3_uint64(bytes.count), Self.copying)
    }
  }

  private mutating func add(_ bind: (SQLiteStatement, Int32) -> Int32) throws {
    let statement = unsafe statement.sqliteStatement
    // The reset allows new bindings; its error was already thrown by the execution.
    if next == 1 { unsafe sqlite3_reset(statement) }
    let code = unsafe bind(statement, next)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    next += 1
  }
}
