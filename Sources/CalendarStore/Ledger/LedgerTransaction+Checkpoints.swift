// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import FoundationEssentials
import GRDB

/// The state from which the next run resumes.
extension LedgerTransaction {
  /// Returns the resume state for the next run; empty for another binding.
  public func checkpoint(of binding: SyncBinding) throws -> SyncCheckpoint {
    guard let sync = try sync(boundTo: binding) else { return SyncCheckpoint() }
    let rows = try Row.fetchCursor(
      db, sql: "SELECT cursor, isAtRest, verifiedAt, nextWake FROM checkpoint WHERE sync = ?",
      arguments: [sync])
    let (unlisted, unreported) = try openPlaces(of: sync)
    guard let row = try rows.next() else {
      return SyncCheckpoint(unlisted: unlisted, unreported: unreported)
    }
    let cursor = try row.bytes("cursor")
    let isLong = cursor == StoredSnapshot.cursorMark
    let stored = try StoredSnapshot(of: sync, withCursor: isLong, in: db)
    var checkpoint = SyncCheckpoint(
      cursor: (isLong ? stored.cursor : cursor).map(RemoteCursor.init(bytes:)), unlisted: unlisted,
      unreported: unreported, snapshot: stored.snapshot.map(LocalSnapshot.init),
      isAtRest: try row.value("isAtRest"),
      nextWake: try row.optional("nextWake").map(Instant.init(secondsSinceEpoch:)),
      verifiedAt: try row.optional("verifiedAt").map(Instant.init(secondsSinceEpoch:)))
    checkpoint.unsettled = try Row.fetchCursor(
      db, sql: "SELECT href, etag FROM unsettled WHERE sync = ? ORDER BY href",
      arguments: [sync]
    ).map { row in
      RemoteEntry(
        href: Href(try row.text(0)),
        etag: try row.decode(String?.self, atIndex: 1).map(EntityTag.init))
    }.array()
    return checkpoint
  }

  /// The additions that are not listed, and the changes that are not reported.
  private func openPlaces(of sync: Int64) throws -> (unlisted: [Href], unreported: [Href]) {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM unlisted WHERE sync = ? ORDER BY href", arguments: [sync])
    var (unlisted, unreported): ([Href], [Href]) = ([], [])
    while let row = try rows.next() {
      let href = Href(try row.text(1))
      // A ledger of an earlier schema has additions only.
      if try row.hasColumn("isAddition") && !row.value("isAddition") {
        unreported.append(href)
      } else {
        unlisted.append(href)
      }
    }
    return (unlisted, unreported)
  }

  /// Stores the resume state for the next run, replacing the previous one.
  public func store(_ checkpoint: SyncCheckpoint, in run: RunID) throws {
    let sync = try owners(of: run).sync
    let cursor = checkpoint.cursor?.bytes
    let isLong = cursor.map(StoredSnapshot.isLong) ?? false
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO checkpoint (sync, cursor, isAtRest, verifiedAt, nextWake)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        sync, (isLong ? StoredSnapshot.cursorMark : cursor)?.blob, checkpoint.isAtRest,
        checkpoint.verifiedAt?.secondsSinceEpoch, checkpoint.nextWake?.secondsSinceEpoch,
      ])
    try StoredSnapshot(snapshot: checkpoint.snapshot?.bytes, cursor: isLong ? cursor : nil)
      .store(as: sync, in: db)
    try db.execute(sql: "DELETE FROM unsettled WHERE sync = ?", arguments: [sync])
    for entry in checkpoint.unsettled {
      try db.execute(
        sql: "INSERT OR REPLACE INTO unsettled (sync, href, etag) VALUES (?, ?, ?)",
        arguments: [sync, entry.href.rawValue.utf8.blob, entry.etag?.rawValue])
    }
    try db.execute(sql: "DELETE FROM unlisted WHERE sync = ?", arguments: [sync])
    for href in checkpoint.unreported {
      try store(unlisted: href, isAddition: false, sync)
    }
    for href in checkpoint.unlisted { try store(unlisted: href, sync) }
  }

  /// Records that no response of the remote has listed an addition, or reported a change, yet.
  func store(unlisted href: Href, isAddition: Bool = true, _ sync: Int64) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO unlisted (sync, href, isAddition) VALUES (?, ?, ?)"
    ).execute(arguments: [sync, href.rawValue.utf8.blob, isAddition])
  }

  /// Records that something has happened since the checkpoint.
  func disturb(_ sync: Int64) throws {
    try db.cachedStatement(sql: "UPDATE checkpoint SET isAtRest = 0 WHERE sync = ? AND isAtRest")
      .execute(arguments: [sync])
  }

  /// Deletes the remote's cursor, once a part of its changes has been applied.
  ///
  /// A remote need not report an item that was added after the cursor and then removed (RFC 6578
  /// §3.5). Unless the run completes and stores the next cursor, only a listing reveals the
  /// removal.
  func forgetCursor(_ sync: Int64) throws {
    try db.cachedStatement(
      sql: "UPDATE checkpoint SET cursor = NULL WHERE sync = ? AND cursor IS NOT NULL"
    ).execute(arguments: [sync])
  }
}
