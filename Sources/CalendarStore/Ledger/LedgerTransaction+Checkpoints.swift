// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import FoundationEssentials

/// The state from which the next run resumes.
extension LedgerTransaction {
  /// Returns the resume state for the next run; empty for another binding.
  public func checkpoint(of binding: SyncBinding) throws -> SyncCheckpoint {
    guard let sync = try sync(boundTo: binding) else { return SyncCheckpoint() }
    let (unlisted, unreported) = try openPlaces(of: sync)
    let resumed = try db.first(
      "SELECT cursor, isAtRest, verifiedAt, nextWake FROM checkpoint WHERE sync = ?", [sync]
    ) { row in
      (
        cursor: try row.bytes("cursor"), isAtRest: try row.value("isAtRest") as Bool,
        nextWake: try row.optional("nextWake") as Int64?,
        verifiedAt: try row.optional("verifiedAt") as Int64?
      )
    }
    guard let resumed else { return SyncCheckpoint(unlisted: unlisted, unreported: unreported) }
    let isLong = resumed.cursor == StoredSnapshot.cursorMark
    let stored = try StoredSnapshot(of: sync, withCursor: isLong, in: db)
    var checkpoint = SyncCheckpoint(
      cursor: (isLong ? stored.cursor : resumed.cursor).map(RemoteCursor.init(bytes:)),
      unlisted: unlisted, unreported: unreported,
      snapshot: stored.snapshot.map(LocalSnapshot.init), isAtRest: resumed.isAtRest,
      nextWake: resumed.nextWake.map(Instant.init(secondsSinceEpoch:)),
      verifiedAt: resumed.verifiedAt.map(Instant.init(secondsSinceEpoch:)))
    checkpoint.unsettled = try db.all(
      "SELECT href, etag FROM unsettled WHERE sync = ? ORDER BY href", [sync]
    ) { row in
      RemoteEntry(href: Href(try row.text(0)), etag: try row.optional(1).map(EntityTag.init))
    }
    return checkpoint
  }

  /// The additions that are not listed, and the changes that are not reported.
  private func openPlaces(of sync: Int64) throws -> (unlisted: [Href], unreported: [Href]) {
    var (unlisted, unreported): ([Href], [Href]) = ([], [])
    try db.each("SELECT * FROM unlisted WHERE sync = ? ORDER BY href", [sync]) { row in
      let href = Href(try row.identifier("href"))
      // A ledger of an earlier schema has additions only.
      if try row.hasColumn("isAddition") && !row.value("isAddition") {
        unreported.append(href)
      } else {
        unlisted.append(href)
      }
      return true
    }
    return (unlisted, unreported)
  }

  private static let checkpointReplacement = replacement(
    in: "checkpoint", key: ["sync"], values: ["cursor", "isAtRest", "verifiedAt", "nextWake"])
  private static let unsettledReplacement = replacement(
    in: "unsettled", key: ["sync", "href"], values: ["etag"])
  private static let unlistedReplacement = replacement(
    in: "unlisted", key: ["sync", "href"], values: ["isAddition"])

  /// Stores the resume state for the next run, replacing the previous one.
  public func store(_ checkpoint: SyncCheckpoint, in run: RunID) throws {
    let sync = try owners(of: run).sync
    let cursor = checkpoint.cursor?.bytes
    let isLong = cursor.map(StoredSnapshot.isLong) ?? false
    try db.execute(
      Self.checkpointReplacement,
      [
        sync, (isLong ? StoredSnapshot.cursorMark : cursor)?.blob, checkpoint.isAtRest,
        checkpoint.verifiedAt?.secondsSinceEpoch, checkpoint.nextWake?.secondsSinceEpoch,
      ])
    try StoredSnapshot(snapshot: checkpoint.snapshot?.bytes, cursor: isLong ? cursor : nil)
      .store(as: sync, in: db)
    try db.execute("DELETE FROM unsettled WHERE sync = ?", [sync])
    for entry in checkpoint.unsettled {
      try db.execute(
        Self.unsettledReplacement, [sync, entry.href.rawValue.utf8.blob, entry.etag?.rawValue])
    }
    try db.execute("DELETE FROM unlisted WHERE sync = ?", [sync])
    for href in checkpoint.unreported {
      try store(unlisted: href, isAddition: false, sync)
    }
    for href in checkpoint.unlisted { try store(unlisted: href, sync) }
  }

  /// Records that no response of the remote has listed an addition, or reported a change, yet.
  func store(unlisted href: Href, isAddition: Bool = true, _ sync: Int64) throws {
    try db.execute(Self.unlistedReplacement, [sync, href.rawValue.utf8.blob, isAddition])
  }

  /// Records that something has happened since the checkpoint.
  func disturb(_ sync: Int64) throws {
    try db.execute("UPDATE checkpoint SET isAtRest = 0 WHERE sync = ? AND isAtRest <> 0", [sync])
  }

  /// Deletes the remote's cursor, once a part of its changes has been applied.
  ///
  /// A remote need not report an item that was added after the cursor and then removed (RFC 6578
  /// §3.5). Unless the run completes and stores the next cursor, only a listing reveals the
  /// removal.
  func forgetCursor(_ sync: Int64) throws {
    try db.execute(
      "UPDATE checkpoint SET cursor = NULL WHERE sync = ? AND cursor IS NOT NULL", [sync])
  }
}
