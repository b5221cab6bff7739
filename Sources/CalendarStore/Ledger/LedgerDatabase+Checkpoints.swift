// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import CivilTime
import FoundationEssentials
import GRDB

/// What lets a run begin where the last one ended.
extension LedgerDatabase {
  /// The entries of a sync without their contents, in no order; empty if the binding is another one.
  public func places(of binding: SyncBinding) async throws -> [LedgerPlace] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      // By number and not by name: there may be many.
      return try Row.fetchCursor(
        db,
        sql: """
          SELECT uid, localName, localBase, href, etag, base IS NOT NULL FROM entry WHERE sync = ?
          """, arguments: [sync]
      ).map { row in
        LedgerPlace(
          uid: UID(try row.text(0)), localName: try row.text(1),
          localBase: Fingerprint(try row.decode(String.self, atIndex: 2)),
          href: Href(try row.text(3)),
          etag: try row.decode(String?.self, atIndex: 4).map(EntityTag.init),
          hasBase: try row.decode(Bool.self, atIndex: 5))
      }.array()
    }
  }

  /// The entries of some items with all that belongs to them, in order of UID.
  public func entries(of binding: SyncBinding, for uids: [UID]) async throws -> [LedgerEntry] {
    guard !uids.isEmpty else { return [] }
    return try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM entry WHERE sync = ? AND uid = ?")
      return try uids.inOrder().compactMap { uid in
        try Row.fetchOne(statement, arguments: [sync, uid.blob]).map(LedgerEntry.init)
      }
    }
  }

  /// From where the next run goes on; the empty one if the binding is another one.
  public func checkpoint(of binding: SyncBinding) async throws -> SyncCheckpoint {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return SyncCheckpoint() }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT cursor, isAtRest, verifiedAt, snapshot, restsUntil FROM checkpoint WHERE sync = ?
          """, arguments: [sync])
      guard let row = try rows.next() else { return SyncCheckpoint() }
      // Straight from the database: it is the largest thing there is in it.
      let snapshot = try row.withUnsafeData(atIndex: 3) { $0.map { LocalSnapshot([UInt8]($0)) } }
      var checkpoint = SyncCheckpoint(
        cursor: try row.bytes("cursor").map { RemoteCursor(String(decoding: $0, as: UTF8.self)) },
        snapshot: snapshot, isAtRest: try row.value("isAtRest"),
        restsUntil: try row.optional("restsUntil").map(Instant.init(secondsSinceEpoch:)),
        verifiedAt: try row.optional("verifiedAt").map(Instant.init(secondsSinceEpoch:)))
      checkpoint.unsettled = try Row.fetchCursor(
        db, sql: "SELECT href, etag FROM unsettled WHERE sync = ? ORDER BY href",
        arguments: [sync]
      ).map { row in
        RemoteEntry(
          href: Href(try row.text(0)),
          etag: try row.decode(String?.self, atIndex: 1).map(EntityTag.init))
      }.array()
      checkpoint.unlisted = try Row.fetchCursor(
        db, sql: "SELECT href FROM unlisted WHERE sync = ? ORDER BY href", arguments: [sync]
      ).map { row in Href(try row.text(0)) }.array()
      return checkpoint
    }
  }

  /// Stores from where the next run goes on, in place of what was stored.
  public func store(_ checkpoint: SyncCheckpoint, in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      // The snapshot is large, and mostly the one that is there.
      let known = try Data.fetchOne(
        db, sql: "SELECT snapshot FROM checkpoint WHERE sync = ?", arguments: [sync])
      let arguments: StatementArguments = [
        checkpoint.cursor?.rawValue.utf8.blob, checkpoint.isAtRest,
        checkpoint.verifiedAt?.secondsSinceEpoch, checkpoint.restsUntil?.secondsSinceEpoch, sync,
      ]
      if let known, let snapshot = checkpoint.snapshot, known.elementsEqual(snapshot.bytes) {
        try db.execute(
          sql: """
            UPDATE checkpoint SET cursor = ?, isAtRest = ?, verifiedAt = ?, restsUntil = ?
            WHERE sync = ?
            """, arguments: arguments)
      } else {
        // As a statement of its own, which takes the bytes where they are; the short way copies them.
        try db.makeStatement(
          sql: """
            INSERT OR REPLACE INTO checkpoint
              (cursor, isAtRest, verifiedAt, restsUntil, sync, snapshot)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: arguments + [checkpoint.snapshot?.bytes.blob])
      }
      try db.execute(sql: "DELETE FROM unsettled WHERE sync = ?", arguments: [sync])
      for entry in checkpoint.unsettled {
        try db.execute(
          sql: "INSERT OR REPLACE INTO unsettled (sync, href, etag) VALUES (?, ?, ?)",
          arguments: [sync, entry.href.rawValue.utf8.blob, entry.etag?.rawValue])
      }
      try db.execute(sql: "DELETE FROM unlisted WHERE sync = ?", arguments: [sync])
      for href in checkpoint.unlisted {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO unlisted (sync, href) VALUES (?, ?)")
          .execute(arguments: [sync, href.rawValue.utf8.blob])
      }
    }
  }

  /// Notes that something happened since the checkpoint was stored, whoever did it.
  static func disturb(_ sync: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE checkpoint SET isAtRest = 0 WHERE sync = ? AND isAtRest")
      .execute(arguments: [sync])
  }
}

extension LedgerDatabase {
  /// Forgets from where the remote tells what changed, once something of it was taken over.
  ///
  /// What came after the cursor and went again, a remote need not tell (RFC 6578 §3.5): unless the run
  /// comes to its end and stores the next cursor, only a listing shows that it is gone.
  static func forgetCursor(_ sync: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE checkpoint SET cursor = NULL WHERE sync = ? AND cursor IS NOT NULL"
    ).execute(arguments: [sync])
  }
}
