// SPDX-License-Identifier: Apache-2.0

/// A database in one transaction, as the queries of the ledger see it.
///
/// `LedgerTransaction` has one set of queries for SQLite and for PostgreSQL:
///
/// - Placeholders are `?`, or `?1`, `?2` and so on.
/// - `user` and `grant` are quoted, because they are reserved words of PostgreSQL.
/// - `ON CONFLICT` names the columns of the key. PostgreSQL's keys begin with one column more,
///   which its connection adds.
/// - Integers are compared with 0 or 1, because PostgreSQL takes none for a condition. `min` and
///   `max` have one argument. An integer that is added to a parameter determines the type of it,
///   and is therefore avoided.
/// - A unary plus keeps SQLite from using an index.
protocol LedgerConnection {
  /// Returns a statement; that of the same text is prepared once.
  func statement(_ sql: String) throws -> any LedgerStatement

  /// Whether runs of syncs may be begun.
  var canBeginRuns: Bool { get }

  /// Whether a table exists.
  func hasTable(_ name: String) throws -> Bool

  /// Lets the IDs that the database gives follow those that a table has.
  func reserveIDs(of table: String) throws

  /// Returns faults of the stored data, at most `limit` of each kind.
  func faults(limit: Int) throws -> [String]

  /// Reads a part of a snapshot, whose row exists.
  func snapshot(of sync: Int64, in range: Range<Int>) throws -> [UInt8]

  /// Stores a snapshot, which consists of the parts.
  func store(snapshot parts: [[UInt8]], of sync: Int64) throws
}

/// A prepared statement: values are bound in order, and then its rows are read.
protocol LedgerStatement: AnyObject {
  /// Binds the next value, an integer or null.
  func add(_ number: Int64?) throws
  /// Binds the next value, a text up to its first NUL byte, or null.
  func add(text: String?) throws
  /// Binds the next value, the bytes of a text.
  func add(bytesOf text: String) throws
  /// Binds the next value, bytes or null.
  func add(_ bytes: [UInt8]?) throws

  /// Executes the statement up to its next row.
  ///
  /// - Returns: Whether there is a row; otherwise the statement is complete, and takes new values.
  func next() throws -> Bool
  /// Ends the reading of rows, so that the statement takes new values.
  func reset()
  /// The number of rows that the completed statement has inserted, changed or deleted.
  var changedRows: Int { get }

  /// The number of columns.
  var columnCount: Int { get }
  /// The name of a column, in the case that the database has it.
  func name(ofColumn index: Int) -> String
  /// Whether a column of the current row is null.
  func isNull(_ index: Int) -> Bool
  /// An integer of the current row, from a column that is not null.
  func integer(_ index: Int) throws -> Int64
  /// A text of the current row, from a column that is not null.
  func text(_ index: Int) throws -> String
  /// Bytes of the current row, from a column that is not null.
  func bytes(_ index: Int) throws -> [UInt8]
  /// Text of the current row, from a column of bytes that is not null.
  func textOfBytes(_ index: Int) throws -> String
}

extension LedgerStatement {
  /// Executes the statement with the bound values, to its end.
  func run() throws {
    defer { reset() }
    while try next() {}
  }

  /// Binds all values.
  func add(_ arguments: [(any LedgerArgument)?]) throws {
    for argument in arguments {
      if let argument { try argument.bind(to: self) } else { try add(text: nil) }
    }
  }
}

/// A value that can be bound.
protocol LedgerArgument {
  /// Binds the next value of a statement.
  func bind(to statement: any LedgerStatement) throws
}

extension Int64: LedgerArgument {
  func bind(to statement: any LedgerStatement) throws { try statement.add(self) }
}

extension Int: LedgerArgument {
  func bind(to statement: any LedgerStatement) throws { try statement.add(Int64(self)) }
}

extension Bool: LedgerArgument {
  func bind(to statement: any LedgerStatement) throws { try statement.add(self ? 1 : 0) }
}

extension String: LedgerArgument {
  func bind(to statement: any LedgerStatement) throws { try statement.add(text: self) }
}

extension [UInt8]: LedgerArgument {
  func bind(to statement: any LedgerStatement) throws { try statement.add(self) }
}

/// A fault of the ledger's data or of its use, which names no file.
enum LedgerFault: Error {
  /// A row holds what no version of this program stores there.
  case corrupt(String)
  /// A transaction cannot do this.
  case failed(String)
}

// MARK: Queries

extension LedgerConnection {
  /// Calls a closure with each row, until it returns false.
  func each(
    _ sql: String, _ arguments: [(any LedgerArgument)?] = [], _ body: (LedgerRow) throws -> Bool
  ) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.add(arguments)
    let row = LedgerRow(statement)
    while try statement.next(), try body(row) {}
  }

  /// Returns what a closure makes of each row.
  func all<Result>(
    _ sql: String, _ arguments: [(any LedgerArgument)?] = [],
    _ transform: (LedgerRow) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    try each(sql, arguments) { row in
      results.append(try transform(row))
      return true
    }
    return results
  }

  /// Returns what a closure makes of the first row; nil if there is none.
  func first<Result>(
    _ sql: String, _ arguments: [(any LedgerArgument)?] = [],
    _ transform: (LedgerRow) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try each(sql, arguments) { row in
      result = try transform(row)
      return false
    }
    return result
  }

  /// Whether there is a row.
  func has(_ sql: String, _ arguments: [(any LedgerArgument)?] = []) throws -> Bool {
    try first(sql, arguments) { _ in true } ?? false
  }

  /// Returns the integer in the first column of the first row; nil if there is no row, or no
  /// integer.
  func integer(_ sql: String, _ arguments: [(any LedgerArgument)?] = []) throws -> Int64? {
    try first(sql, arguments) { try $0.optional(0) as Int64? } ?? nil
  }

  /// Returns the text in the first column of the first row; nil if there is no row, or no text.
  func text(_ sql: String, _ arguments: [(any LedgerArgument)?] = []) throws -> String? {
    try first(sql, arguments) { try $0.optional(0) as String? } ?? nil
  }

  /// Executes a statement.
  ///
  /// - Returns: The number of inserted, changed or deleted rows.
  @discardableResult
  func execute(_ sql: String, _ arguments: [(any LedgerArgument)?] = []) throws -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.add(arguments)
    while try statement.next() {}
    return statement.changedRows
  }

  /// Executes a statement that inserts a row and returns its ID.
  func insert(_ sql: String, _ arguments: [(any LedgerArgument)?] = []) throws -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.add(arguments)
    var id: Int64?
    while try statement.next() { id = try statement.integer(0) }
    guard let id else { throw LedgerFault.failed("a row was not inserted") }
    return id
  }
}
