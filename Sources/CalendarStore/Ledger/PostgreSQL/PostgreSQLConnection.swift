// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// A connection to a PostgreSQL server, for one thread at a time.
///
/// Values and results are binary, so that numbers, texts and bytes have one form each. Every value
/// is a parameter. This and `PostgreSQLStatement` are the only files for PostgreSQL with unsafe
/// code.
@safe final class PostgreSQLConnection {
  private let connection: OpaquePointer
  private var statements: [String: PostgreSQLStatement] = [:]
  /// Whether runs of syncs may be begun: the session holds the lease of its tenant.
  var canBeginRuns = false
  /// Whether the tables were found complete on this connection.
  var isMigrated = false
  /// The tables that were found on this connection.
  var knownTables: Set<String> = []

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of libpq, by keyword.
  ///   - seconds: The time for it.
  /// - Throws: `PostgreSQLError`.
  init(_ parameters: [String: String], seconds: Int) throws(PostgreSQLError) {
    guard cpostgresql_load() else {
      throw PostgreSQLError(
        state: "0A000", message: "libpq.so.5 is not installed (Debian: libpq5)")
    }
    let list = parameters.sorted { $0.key < $1.key }
    let connection = unsafe CValues(list.map { Array($0.key.utf8CString) }).withAddresses {
      keywords in
      unsafe CValues(list.map { Array($0.value.utf8CString) }).withAddresses { values in
        unsafe cpostgresql_connect(keywords, values, Int32(seconds))
      }
    }
    guard let connection = unsafe connection else {
      throw PostgreSQLError(state: nil, message: "memory is short")
    }
    guard unsafe cpostgresql_is_connected(connection) else {
      let problem = unsafe String(cString: cpostgresql_problem(connection))
      unsafe cpostgresql_close(connection)
      let lines = problem.split(whereSeparator: \.isNewline).map { line in
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      throw PostgreSQLError(state: "08001", message: lines.joined(separator: "; "))
    }
    unsafe self.connection = connection
  }

  deinit { unsafe cpostgresql_close(connection) }

  /// Whether the connection is usable, as far as the last statement shows.
  var isConnected: Bool { unsafe cpostgresql_is_connected(connection) }

  /// Whether the transaction can only be rolled back.
  var isTransactionFailed: Bool { unsafe cpostgresql_is_transaction_failed(connection) }

  /// The version of the server, as 150018 for 15.18.
  var serverVersion: Int { Int(unsafe cpostgresql_server_version(connection)) }

  /// Whether another session can use the connection: it is usable, and in no transaction.
  var isIdle: Bool { unsafe cpostgresql_is_idle(connection) }

  /// Whether the connection is encrypted, or goes to this machine.
  var isTrusted: Bool {
    if unsafe cpostgresql_is_encrypted(connection) { return true }
    let address =
      unsafe cpostgresql_host_address(connection).map { unsafe String(cString: $0) } ?? ""
    return address.isEmpty || address.hasPrefix("/") || address == "::1"
      || PostgreSQLAddress.isLoopback(address)
  }

  /// Executes statements without values, such as `COMMIT`.
  func run(_ sql: String) throws(PostgreSQLError) {
    let result = unsafe PostgreSQLResult(cpostgresql_execute(connection, sql))
    try check(result)
  }

  /// Returns a statement in the ledger's spelling, which is prepared at its first execution.
  func prepared(_ sql: String) -> PostgreSQLStatement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    let new = PostgreSQLStatement(
      PostgreSQLText.of(sql), name: "s\(statements.count)", of: self)
    statements[sql] = new
    return new
  }

  /// Prepares a statement under a name, with the OIDs of its values.
  func prepare(_ name: String, _ sql: String, _ types: [UInt32]) throws(PostgreSQLError) {
    let result = unsafe PostgreSQLResult(
      cpostgresql_prepare(connection, name, sql, Int32(types.count), types))
    try check(result)
  }

  /// Executes a prepared statement.
  func execute(_ name: String, _ values: [[UInt8]?]) throws(PostgreSQLError) -> PostgreSQLResult {
    // An empty value has an address, unlike a null, and none of its bytes is read.
    let bytes = values.map { $0.map { $0.isEmpty ? [0] : $0 } }
    let lengths = values.map { Int32($0?.count ?? 0) }
    let result = unsafe CValues(bytes).withAddresses { addresses in
      unsafe PostgreSQLResult(
        cpostgresql_execute_prepared(connection, name, Int32(values.count), addresses, lengths))
    }
    try check(result)
    return result
  }

  private func check(_ result: PostgreSQLResult) throws(PostgreSQLError) {
    guard result.status == .failed else { return }
    guard isConnected, let state = result.state else {
      throw PostgreSQLError(state: nil, message: "the connection to the database was lost")
    }
    throw PostgreSQLError(state: state, message: result.message ?? "error \(state)")
  }
}

/// Values for C, one after the other in memory.
private struct CValues<Element: BitwiseCopyable> {
  private var elements: [Element] = []
  private var starts: [Int?] = []

  /// Takes values that are not empty, and nil for null.
  init(_ values: [[Element]?]) {
    for value in values {
      starts.append(value == nil ? nil : elements.count)
      elements += value ?? []
    }
  }

  /// Calls a closure with a list of the addresses that ends with null.
  func withAddresses<Result>(
    _ body: (UnsafePointer<UnsafePointer<Element>?>) -> Result
  ) -> Result {
    unsafe elements.withUnsafeBufferPointer { buffer in
      var list: [UnsafePointer<Element>?] = unsafe starts.map { start in
        guard let start, let first = buffer.baseAddress else { return nil }
        return unsafe first + start
      }
      unsafe list.append(nil)
      return unsafe list.withUnsafeBufferPointer { list in
        guard let start = list.baseAddress else { preconditionFailure("it has an element") }
        return unsafe body(start)
      }
    }
  }
}
