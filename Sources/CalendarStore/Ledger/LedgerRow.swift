// SPDX-License-Identifier: Apache-2.0

/// The current row of a statement; valid until the next row is read.
///
/// Columns are found by their names without regard to case, because PostgreSQL stores the names in
/// lower case.
final class LedgerRow {
  private let statement: any LedgerStatement
  /// The columns that were looked up by name; nil for a missing one.
  private var places: [String: Int?] = [:]

  init(_ statement: any LedgerStatement) {
    self.statement = statement
  }

  /// Whether the row has a column.
  func hasColumn(_ name: String) -> Bool { place(of: name) != nil }

  /// Decodes a column that is not null.
  func value<Value: LedgerValue>(_ column: String) throws -> Value {
    try value(try index(of: column))
  }

  /// Decodes a column that is not null.
  func value<Value: LedgerValue>(_ index: Int) throws -> Value {
    guard !statement.isNull(index) else { throw Self.fault }
    return try Value(column: index, of: statement)
  }

  /// Decodes a column that may be null.
  func optional<Value: LedgerValue>(_ column: String) throws -> Value? {
    try optional(try index(of: column))
  }

  /// Decodes a column that may be null.
  func optional<Value: LedgerValue>(_ index: Int) throws -> Value? {
    statement.isNull(index) ? nil : try Value(column: index, of: statement)
  }

  /// Decodes bytes; nil for null.
  func bytes(_ column: String) throws -> [UInt8]? { try optional(column) }

  /// Decodes an identifier, which is stored as the bytes of its text.
  func identifier(_ column: String) throws -> String { try text(try index(of: column)) }

  /// Decodes text that is stored as its bytes.
  func text(_ index: Int) throws -> String {
    guard !statement.isNull(index) else { throw Self.fault }
    return try statement.textOfBytes(index)
  }

  /// The error for a column whose value is of another type.
  static var fault: LedgerFault { .corrupt("a column has an invalid value") }

  private func index(of name: String) throws -> Int {
    guard let place = place(of: name) else {
      throw LedgerFault.corrupt("the column \(name) is missing")
    }
    return place
  }

  private func place(of name: String) -> Int? {
    if let place = places[name] { return place }
    let place = (0..<statement.columnCount).first { index in
      let other = statement.name(ofColumn: index)
      return other == name || other.lowercased() == name.lowercased()
    }
    places[name] = .some(place)
    return place
  }
}

/// A value that a column can hold.
protocol LedgerValue {
  /// Decodes a column that is not null.
  init(column index: Int, of statement: any LedgerStatement) throws
}

extension Int64: LedgerValue {
  init(column index: Int, of statement: any LedgerStatement) throws {
    self = try statement.integer(index)
  }
}

extension Int: LedgerValue {
  init(column index: Int, of statement: any LedgerStatement) throws {
    self = Int(try statement.integer(index))
  }
}

extension Bool: LedgerValue {
  init(column index: Int, of statement: any LedgerStatement) throws {
    self = try statement.integer(index) != 0
  }
}

extension String: LedgerValue {
  init(column index: Int, of statement: any LedgerStatement) throws {
    self = try statement.text(index)
  }
}

extension [UInt8]: LedgerValue {
  init(column index: Int, of statement: any LedgerStatement) throws {
    self = try statement.bytes(index)
  }
}
