// SPDX-License-Identifier: Apache-2.0

/// The copy of a ledger to another place, such as from a file to a database.
struct LedgerCopy {
  let source: any LedgerConnection
  let target: any LedgerConnection

  /// Copies all rows, with their IDs, and returns their number.
  ///
  /// - Throws: `LedgerFault` if the target has rows.
  func make() throws -> Int {
    for table in PostgreSQLTable.shared {
      guard try !target.has("SELECT 1 FROM \(table.name) LIMIT 1") else {
        throw LedgerFault.failed("it has rows already, and a copy would mix two ledgers")
      }
    }
    return try PostgreSQLTable.shared.reduce(0) { try $0 + copy($1) }
  }

  private func copy(_ table: PostgreSQLTable) throws -> Int {
    // A ledger of an earlier schema has fewer tables.
    guard try source.hasTable(table.name.filter { $0 != "\"" }) else { return 0 }
    let columns = table.storedColumns
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try target.statement("INSERT INTO \(table.name) (\(names)) VALUES (\(marks))")
    let order = table.key == "id" ? " ORDER BY id" : ""
    var count = 0
    try source.each("SELECT \(names) FROM \(table.name)\(order)") { row in
      for (index, column) in columns.enumerated() {
        switch column.type {
        case .integer: try insert.add(try row.optional(index) as Int64?)
        case .text: try insert.add(text: try row.optional(index) as String?)
        case .bytes: try insert.add(try row.optional(index) as [UInt8]?)
        }
      }
      try insert.run()
      count += 1
      return true
    }
    guard try target.integer("SELECT count(*) FROM \(table.name)") == Int64(count) else {
      throw LedgerFault.failed("a row of the table \(table.name) was not copied")
    }
    if table.key == "id" { try target.reserveIDs(of: table.name) }
    return count
  }
}

extension PostgreSQLTable {
  /// The type of a column's values.
  enum ColumnType: String {
    case integer = "BIGINT"
    case text = "TEXT"
    case bytes = "BYTEA"
  }

  /// The tables that a ledger has in SQLite, too.
  static let shared = all.filter { $0.name != "lease" }

  /// The columns without the tenant, and without the constraints that stand among them.
  var storedColumns: [(name: String, type: ColumnType)] {
    var depth = 0
    let parts = columns.split { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }
    return parts.compactMap { part in
      let words = part.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, let type = ColumnType(rawValue: String(words[1])) else { return nil }
      return (String(words[0]), type)
    }
  }
}

extension LedgerDatabase {
  /// Copies everything of another ledger into this one, in one transaction.
  ///
  /// - Parameter other: The other ledger.
  /// - Returns: The number of rows.
  /// - Throws: `StoreError`, also if this ledger has rows; nothing is copied then.
  package func copyAll(of other: LedgerDatabase) throws -> Int {
    // SQLite's connection is used on its own queue alone, and therefore by the inner transaction.
    if storage is PostgreSQLStorage {
      return try write { target in
        let target = target.db
        return try other.read { try LedgerCopy(source: $0.db, target: target).make() }
      }
    }
    return try other.read { source in
      let source = source.db
      return try write { try LedgerCopy(source: source, target: $0.db).make() }
    }
  }
}
