// SPDX-License-Identifier: Apache-2.0

import GRDB

extension LedgerDatabase {
  /// The maximum number of reported faults.
  private static let faultLimit = 20

  /// Returns the faults of the database: damaged pages and indexes, and orphaned rows.
  ///
  /// - Returns: The faults; empty if there are none.
  /// - Complexity: It reads the whole database.
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
