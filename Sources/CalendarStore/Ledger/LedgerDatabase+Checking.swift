// SPDX-License-Identifier: Apache-2.0

import GRDB

extension LedgerDatabase {
  /// The most faults that are told.
  private static let faultLimit = 20

  /// What is wrong with the database: damaged pages and indexes, and rows that belong to nothing.
  ///
  /// - Returns: Nothing if it is whole.
  /// - Complexity: It reads all of the database.
  public func faults() async throws -> [String] {
    try await read { db in
      let findings = try String.fetchAll(
        db, sql: "PRAGMA integrity_check(\(Self.faultLimit))")
      let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
        .prefix(Self.faultLimit).map { row in
          let table: String = try row.value("table")
          return "a row of the table \(table) belongs to nothing"
        }
      return findings.filter { $0 != "ok" } + orphans
    }
  }
}
