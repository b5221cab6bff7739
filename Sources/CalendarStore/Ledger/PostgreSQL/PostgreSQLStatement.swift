// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The answer to a statement, which is in memory as a whole.
@safe final class PostgreSQLResult {
  private let result: OpaquePointer?

  init(_ result: OpaquePointer?) {
    unsafe self.result = result
  }

  deinit { unsafe cpostgresql_clear(result) }

  var status: cpostgresql_status { unsafe cpostgresql_result_status(result) }
  var state: String? { unsafe cpostgresql_result_state(result).map { unsafe String(cString: $0) } }
  var message: String? {
    unsafe cpostgresql_result_message(result).map { unsafe String(cString: $0) }
  }
  var changedRows: Int { unsafe Int(String(cString: cpostgresql_result_changed(result))) ?? 0 }
  var rowCount: Int { Int(unsafe cpostgresql_result_rows(result)) }
  var columnCount: Int { Int(unsafe cpostgresql_result_columns(result)) }

  func name(_ column: Int) -> String {
    unsafe cpostgresql_result_name(result, Int32(column)).map { unsafe String(cString: $0) } ?? ""
  }

  func type(_ column: Int) -> UInt32 { unsafe cpostgresql_result_type(result, Int32(column)) }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    unsafe cpostgresql_result_is_null(result, Int32(row), Int32(column))
  }

  /// Calls a closure with the bytes of a value, which are valid until it returns.
  func withBytes<Result>(
    _ row: Int, _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let start = unsafe cpostgresql_result_value(result, Int32(row), Int32(column))
    let count = unsafe cpostgresql_result_length(result, Int32(row), Int32(column))
    return unsafe body(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}

/// A statement of PostgreSQL.
///
/// It is prepared at its first execution, because only then the types of its values are known. The
/// server finds out the type of a null.
final class PostgreSQLStatement: LedgerStatement {
  /// The types of values and columns, by their OIDs (PostgreSQL, `pg_type.dat`).
  private enum TypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integers: Set<UInt32> = [20, 21, 23]
    static let integer: UInt32 = 20
    static let texts: Set<UInt32> = [19, 25, 1043]
    static let text: UInt32 = 25
    static let unknown: UInt32 = 0
  }

  private let sql: String
  private let name: String
  private unowned let connection: PostgreSQLConnection
  private var isPrepared = false

  private var values: [[UInt8]?] = []
  private var types: [UInt32] = []
  private var result: PostgreSQLResult?
  private var row = -1
  private(set) var changedRows = 0

  init(_ sql: String, name: String, of connection: PostgreSQLConnection) {
    (self.sql, self.name, self.connection) = (sql, name, connection)
  }

  // MARK: Values

  func add(_ number: Int64?) throws {
    let bytes = number.map { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    add(bytes, TypeID.integer)
  }

  /// A text ends at its first NUL byte, as in SQLite; a text of PostgreSQL cannot contain one.
  func add(text: String?) throws {
    add(text.map { Array($0.utf8.prefix { $0 != 0 }) }, TypeID.text)
  }

  func add(bytesOf text: String) throws { add(Array(text.utf8), TypeID.bytes) }

  func add(_ bytes: [UInt8]?) throws { add(bytes, TypeID.bytes) }

  private func add(_ value: [UInt8]?, _ type: UInt32) {
    values.append(value)
    types.append(value == nil ? TypeID.unknown : type)
  }

  // MARK: Rows

  func next() throws -> Bool {
    let result = try result ?? execute()
    self.result = result
    row += 1
    guard row < result.rowCount else {
      changedRows = result.changedRows
      reset()
      return false
    }
    return true
  }

  private func execute() throws(PostgreSQLError) -> PostgreSQLResult {
    if !isPrepared {
      try connection.prepare(name, sql, types)
      isPrepared = true
    }
    return try connection.execute(name, values)
  }

  func reset() {
    (result, row) = (nil, -1)
    values.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
  }

  // MARK: Columns

  var columnCount: Int { result?.columnCount ?? 0 }

  func name(ofColumn index: Int) -> String { result?.name(index) ?? "" }

  func isNull(_ index: Int) -> Bool { result?.isNull(row, index) ?? true }

  func integer(_ index: Int) throws -> Int64 {
    let result = try current()
    let type = result.type(index)
    guard TypeID.integers.contains(type) || type == TypeID.boolean else { throw LedgerRow.fault }
    return unsafe result.withBytes(row, index) { bytes in
      // An integer is big-endian, and has a sign.
      let sign: Int64 = unsafe bytes.first.map { $0 & 0x80 == 0 ? 0 : -1 } ?? 0
      return unsafe bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }
  }

  func text(_ index: Int) throws -> String {
    let result = try current()
    guard TypeID.texts.contains(result.type(index)) else { throw LedgerRow.fault }
    return unsafe result.withBytes(row, index) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  func bytes(_ index: Int) throws -> [UInt8] {
    let result = try current()
    guard result.type(index) == TypeID.bytes else { throw LedgerRow.fault }
    return unsafe result.withBytes(row, index) { unsafe [UInt8]($0) }
  }

  func textOfBytes(_ index: Int) throws -> String {
    let result = try current()
    guard result.type(index) == TypeID.bytes else { throw LedgerRow.fault }
    return unsafe result.withBytes(row, index) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private func current() throws -> PostgreSQLResult {
    guard let result else { throw LedgerRow.fault }
    return result
  }
}
