// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
import CivilTime
import GRDB

/// The items that the filters of syncs leave on their side.
extension LedgerDatabase {
  /// Returns the items that the filter of a sync leaves on their side, unsorted.
  public func outside(of binding: SyncBinding) async throws -> [OutsideItem] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Self.outside(of: sync, db)
    }
  }

  /// Stores the items that the filter leaves on their side, replacing the previous ones.
  public func store(outside items: [OutsideItem], in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      // There may be many, and most are usually unchanged.
      let known = Set(try Self.outside(of: sync, db))
      let wanted = Set(items)
      for item in known.subtracting(wanted) {
        try db.cachedStatement(
          sql: "DELETE FROM outside WHERE sync = ? AND side = ? AND place = ?"
        ).execute(arguments: [sync, item.side.rawValue, item.place.utf8.blob])
      }
      for item in wanted.subtracting(known) {
        try db.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO outside (sync, side, place, uid, version, until)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          sync, item.side.rawValue, item.place.utf8.blob, item.uid.blob, item.version,
          item.until?.secondsSinceEpoch,
        ])
      }
    }
  }

  private static func outside(of sync: Int64, _ db: Database) throws -> [OutsideItem] {
    try Row.fetchCursor(
      db, sql: "SELECT side, place, uid, version, until FROM outside WHERE sync = ?",
      arguments: [sync]
    ).compactMap { row in
      let word: String = try row.value("side")
      return try OutsideItem.Side(rawValue: word).map { side in
        OutsideItem(
          side: side, uid: UID(try row.identifier("uid")), place: try row.identifier("place"),
          version: try row.value("version"),
          until: try row.optional("until").map(Instant.init(secondsSinceEpoch:)))
      }
    }.array()
  }
}
