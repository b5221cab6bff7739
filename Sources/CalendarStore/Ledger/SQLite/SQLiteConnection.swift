// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The ledger's SQLite database in one transaction.
struct SQLiteConnection: LedgerConnection {
  let db: Database

  func statement(_ sql: String) throws -> any LedgerStatement { try SQLiteStatement(sql, db) }

  /// Runs of several processes are kept apart by the lock of the state folder.
  var canBeginRuns: Bool { true }

  func hasTable(_ name: String) throws -> Bool { try db.tableExists(name) }

  /// The IDs always follow those of the table.
  func reserveIDs(of table: String) {}

  /// Damaged pages and indexes, and orphaned rows.
  func faults(limit: Int) throws -> [String] {
    let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
    let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(limit).map { row in
      let table = try row.decode(String.self, forColumn: "table")
      return "a row of the table \(table) refers to a missing row"
    }
    return findings.filter { $0 != "ok" } + orphans
  }

  // MARK: Snapshots

  func snapshot(of sync: Int64, in range: Range<Int>) throws -> [UInt8] {
    try content(of: sync, for: .reading).read(range)
  }

  /// Writes only what has changed if the length is the same.
  func store(snapshot parts: [[UInt8]], of sync: Int64) throws {
    let total = parts.reduce(0) { $0 + $1.count }
    let isReplaced =
      try integer("SELECT length(content) FROM snapshot WHERE sync = ?", [sync]) != Int64(total)
    if isReplaced {
      try execute(
        """
        INSERT INTO snapshot (sync, content) VALUES (?, zeroblob(?))
        ON CONFLICT (sync) DO UPDATE SET content = excluded.content
        """, [sync, total])
    }
    let content = try content(of: sync, for: .writing)
    var place = 0
    for part in parts {
      if isReplaced {
        try content.write(part, at: place)
      } else {
        try content.update(part, at: place)
      }
      place += part.count
    }
  }

  private func content(of sync: Int64, for access: StoredBytes.Access) throws -> StoredBytes {
    try StoredBytes("content", of: "snapshot", row: sync, for: access, in: db)
  }
}
