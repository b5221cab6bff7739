// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A statement of SQLite, whose values are bound and read without a copy in between.
///
/// GRDB boxes the values of each row, and collects, checks and copies them. For the rows of a first
/// sync that took 30 % of the writing time. Besides `SystemCalls` and `StoredBytes` this is the
/// only file for SQLite with unsafe code.
final class SQLiteStatement: LedgerStatement {
  /// Makes SQLite copy the bound values.
  private static let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let db: Database
  private let statement: Statement
  private var nextPlace: Int32 = 1

  /// Prepares a statement whose values are bound only by position.
  init(_ sql: String, _ db: Database) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    unsafe sqlite3_reset(statement.sqliteStatement)
  }

  // MARK: Values

  func add(_ number: Int64?) throws {
    try unsafe add { statement, place in
      guard let number else { return unsafe sqlite3_bind_null(statement, place) }
      return unsafe sqlite3_bind_int64(statement, place, number)
    }
  }

  func add(text: String?) throws {
    try unsafe add { statement, place in
      guard let text else { return unsafe sqlite3_bind_null(statement, place) }
      return unsafe sqlite3_bind_text(statement, place, text, -1, Self.copying)
    }
  }

  func add(bytesOf text: String) throws {
    var text = text
    try text.withUTF8 { try unsafe add(UnsafeRawBufferPointer($0)) }
  }

  func add(_ bytes: [UInt8]?) throws {
    guard let bytes else { return try add(text: nil) }
    try unsafe bytes.withUnsafeBytes { try unsafe add($0) }
  }

  private func add(_ bytes: UnsafeRawBufferPointer) throws {
    try unsafe add { statement, place in
      // SQLite creates an empty blob only for a non-null address, and null otherwise.
      guard bytes.count > 0 else { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
      return unsafe sqlite3_bind_blob64(
        statement, place, bytes.baseAddress, sqlite3_uint64(bytes.count), Self.copying)
    }
  }

  private func add(_ bind: (GRDB.SQLiteStatement, Int32) -> Int32) throws {
    let code = unsafe bind(statement.sqliteStatement, nextPlace)
    guard code == SQLITE_OK else { throw failure(code) }
    nextPlace += 1
  }

  // MARK: Rows

  func next() throws -> Bool {
    let code = unsafe sqlite3_step(statement.sqliteStatement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      reset()
      return false
    default: throw failure(code)
    }
  }

  func reset() {
    // Its error was already thrown by the execution.
    unsafe sqlite3_reset(statement.sqliteStatement)
    nextPlace = 1
  }

  var changedRows: Int { db.changesCount }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(
        rawValue: db.lastErrorCode == .SQLITE_OK ? code : db.lastErrorCode.rawValue),
      message: db.lastErrorMessage)
  }

  // MARK: Columns

  var columnCount: Int { statement.columnCount }

  func name(ofColumn index: Int) -> String {
    unsafe sqlite3_column_name(statement.sqliteStatement, Int32(index)).map {
      unsafe String(cString: $0)
    } ?? ""
  }

  func isNull(_ index: Int) -> Bool {
    unsafe sqlite3_column_type(statement.sqliteStatement, Int32(index)) == SQLITE_NULL
  }

  func integer(_ index: Int) throws -> Int64 {
    try check(index, SQLITE_INTEGER)
    return unsafe sqlite3_column_int64(statement.sqliteStatement, Int32(index))
  }

  func text(_ index: Int) throws -> String {
    try check(index, SQLITE_TEXT)
    let count = unsafe sqlite3_column_bytes(statement.sqliteStatement, Int32(index))
    guard let start = unsafe sqlite3_column_text(statement.sqliteStatement, Int32(index)) else {
      throw LedgerRow.fault
    }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  func bytes(_ index: Int) throws -> [UInt8] {
    try unsafe withBytes(index) { unsafe [UInt8]($0) }
  }

  func textOfBytes(_ index: Int) throws -> String {
    try unsafe withBytes(index) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private func withBytes<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    try check(index, SQLITE_BLOB)
    let start = unsafe sqlite3_column_blob(statement.sqliteStatement, Int32(index))
    let count = unsafe sqlite3_column_bytes(statement.sqliteStatement, Int32(index))
    // An empty blob has no address.
    return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }

  private func check(_ index: Int, _ type: Int32) throws {
    guard unsafe sqlite3_column_type(statement.sqliteStatement, Int32(index)) == type else {
      throw LedgerRow.fault
    }
  }
}
