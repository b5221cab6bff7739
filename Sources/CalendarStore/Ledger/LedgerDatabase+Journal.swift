// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
public import CivilTime
import GRDB

/// The phases of a run: begin, record intents, settle, end.
extension LedgerDatabase {
  /// Starts a run, binds the sync to `binding`, and deletes the entries of another binding.
  public func beginRun(of binding: SyncBinding, at now: Instant) async throws -> RunID {
    try await write { db in
      let sync = try Self.bind(binding, db)
      try db.execute(
        sql: """
          INSERT INTO run (sync, startedAt, local, remote, filter)
          SELECT id, ?, local, remote, filter FROM sync WHERE id = ?
          """,
        arguments: [now.secondsSinceEpoch, sync])
      return RunID(db.lastInsertedRowID)
    }
  }

  /// Makes intents durable before any of them is sent.
  ///
  /// An unsettled intent of an earlier run for the same item is kept beside the new one, because
  /// either may be what the other side has. Only an equal intent is replaced.
  public func record(_ intents: [Intent], in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      try Self.disturb(sync, db)
      let hasPending = try Self.hasPending(sync, db)
      var row = try RowStatement(Self.intentInsertion, db)
      for intent in intents {
        if hasPending { try Self.forgetEqual(of: intent, sync, db) }
        try Self.insert(intent, by: &row, run, sync)
      }
    }
  }

  /// Records outcomes, and moves the intents of their items to the history of their run.
  public func settle(_ outcomes: [RunID: [Settlement]]) async throws {
    try await write { db in
      for (run, settlements) in outcomes { try Self.settle(settlements, in: run, db) }
    }
  }

  private static func settle(
    _ settlements: [Settlement], in run: RunID, _ db: Database
  ) throws {
    let place = try place(of: run, db)
    try disturb(place.sync, db)
    if settlements.contains(where: \.isAgreement) { try forgetCursor(place.sync, db) }
    let pending = try pending(place.sync, db, run: run)
    let hasConflicts = try hasConflicts(place.sync, db)
    // This precedes all changes to entries, because the history stores the previously agreed
    // content.
    try close(pending, by: settlements, place.sync, db)
    var row = try RowStatement(entryUpsertion, db)
    for settlement in settlements {
      if case .record(let entry) = settlement.change {
        try store(entry, by: &row, of: settlement.uid, place.sync)
      } else {
        try apply(settlement.change, to: settlement.uid, place, db)
      }
      guard hasConflicts || settlement.conflict != nil else { continue }
      try store(settlement.conflict, for: settlement.uid, place.sync, db)
    }
  }

  /// Ends a run with its summary, and removes the oldest runs; without a time, the end stays unset.
  public func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) async throws {
    let limit = now.map { $0.adding(seconds: -Int64(historyDays) * 86_400) ?? $0 }
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      try db.execute(
        sql: """
          UPDATE run SET endedAt = ?, uploaded = ?, downloaded = ?, deletedRemotely = ?,
            deletedLocally = ?, appended = ?, conflicts = ?, failed = ?, deferred = ?,
            properties = ?, stoppedByGuard = ?
          WHERE id = ?
          """,
        arguments: [
          now?.secondsSinceEpoch, summary.uploaded, summary.downloaded, summary.deletedRemotely,
          summary.deletedLocally, summary.appended, summary.conflicts, summary.failed,
          summary.deferred, summary.properties, summary.stoppedByGuard, run.rawValue,
        ])
      if let now, let limit {
        try Self.moveBack(sync, after: now, db)
        try Self.prune(sync, before: limit, latest: run, db)
      }
    }
  }

  // MARK: Bindings

  /// Returns the row ID of a remote, which is created if necessary.
  static func makeID(of remote: RemoteIdentity, _ db: Database) throws -> Int64 {
    if let id = try id(of: remote, db) { return id }
    try db.execute(
      sql: "INSERT INTO remote (kind, location, user) VALUES (?, ?, ?)",
      arguments: [remote.kind, remote.location, remote.user])
    return db.lastInsertedRowID
  }

  /// Returns the row ID of a sync with this binding, after deleting the data of another binding.
  private static func bind(_ binding: SyncBinding, _ db: Database) throws -> Int64 {
    if let bound = try sync(boundTo: binding, db) { return bound }
    let remote = try makeID(of: binding.remote, db)
    let old = try Int64.fetchOne(
      db, sql: "SELECT id FROM sync WHERE name = ?", arguments: [binding.name])
    guard let old else {
      try db.execute(
        sql: "INSERT INTO sync (name, local, remote, filter) VALUES (?, ?, ?, ?)",
        arguments: [binding.name, binding.local, remote, binding.filter])
      return db.lastInsertedRowID
    }
    try db.execute(
      sql: "UPDATE sync SET local = ?, remote = ?, filter = ? WHERE id = ?",
      arguments: [binding.local, remote, binding.filter, old])
    for table in [
      "entry", "conflict", "checkpoint", "snapshot", "unsettled", "unlisted", "quarantine",
      "property", "outside",
    ] {
      try db.execute(sql: "DELETE FROM \(table) WHERE sync = ?", arguments: [old])
    }
    for table in ["journal", "propertyJournal"] {
      try db.execute(
        sql: "UPDATE \(table) SET state = 'given up' WHERE sync = ? AND state = 'pending'",
        arguments: [old])
    }
    return old
  }

  /// The sync of a run, and the remote to which the sync is bound.
  struct Place {
    let sync: Int64
    let remote: Int64
  }

  static func place(of run: RunID, _ db: Database) throws -> Place {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT sync.id, sync.remote FROM run JOIN sync ON sync.id = run.sync WHERE run.id = ?",
      arguments: [run.rawValue])
    guard let row else {
      throw DatabaseError(message: "the ledger knows no run \(run.rawValue)")
    }
    return Place(sync: try row.value("id"), remote: try row.value("remote"))
  }

  // MARK: Intents

  /// Inserts an intent, with the agreed content.
  private static let intentInsertion = """
    INSERT INTO journal
      (run, sync, uid, action, content, fingerprint, before, mergedWith, other, href, etag, agreed,
       agreedRemotely)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
      (SELECT base FROM entry WHERE entry.sync = ?2 AND entry.uid = ?3),
      (SELECT remoteContent FROM entry WHERE entry.sync = ?2 AND entry.uid = ?3))
    """

  private static func insert(
    _ intent: Intent, by row: inout RowStatement, _ run: RunID, _ sync: Int64
  ) throws {
    try row.add(run.rawValue)
    try row.add(sync)
    try row.add(bytesOf: intent.uid.rawValue)
    try row.add(text: intent.action.rawValue)
    try row.add(intent.content)
    try row.add(text: intent.fingerprint?.rawValue)
    try row.add(intent.before)
    try row.add(intent.mergedWith)
    try row.add(intent.other)
    try row.add(intent.href.map { Array($0.rawValue.utf8) })
    try row.add(text: intent.etag?.rawValue)
    try row.run()
  }

  /// Whether a sync has a pending intent, which is rare.
  private static func hasPending(_ sync: Int64, _ db: Database) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT 1 FROM journal WHERE sync = ? AND state = 'pending' LIMIT 1"),
      arguments: [sync]) != nil
  }

  private static func hasConflicts(_ sync: Int64, _ db: Database) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT 1 FROM conflict WHERE sync = ? LIMIT 1"),
      arguments: [sync]) != nil
  }

  /// Deletes a pending intent of an interrupted run that equals a new one.
  private static func forgetEqual(of intent: Intent, _ sync: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM journal
        WHERE sync = ? AND uid = ? AND state = 'pending' AND action = ? AND content IS ?
          AND fingerprint IS ? AND mergedWith IS ? AND href IS ? AND etag IS ?
        """
    ).execute(arguments: [
      sync, intent.uid.blob, intent.action.rawValue, intent.content?.blob,
      intent.fingerprint?.rawValue, intent.mergedWith?.blob, intent.href?.rawValue.utf8.blob,
      intent.etag?.rawValue,
    ])
  }

  /// The row of a pending intent.
  private typealias PendingRow = (uid: UID, id: Int64, isOfRun: Bool)

  /// The rows of the pending intents of a sync, in their order.
  private static func pending(
    _ sync: Int64, _ db: Database, run: RunID
  ) throws -> [PendingRow] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT uid, id, run FROM journal WHERE sync = ? AND state = 'pending' ORDER BY id"),
      arguments: [sync])
    var pending: [PendingRow] = []
    while let row = try rows.next() {
      let isOfRun = try row.decode(Int64.self, atIndex: 2) == run.rawValue
      pending.append((UID(try row.text(0)), try row.decode(Int64.self, atIndex: 1), isOfRun))
    }
    return pending
  }

  /// Moves the intents of settled items to the history.
  ///
  /// Consecutive intents with the same outcome, usually a whole batch, are moved with one
  /// statement.
  private static func close(
    _ pending: [PendingRow], by settlements: [Settlement], _ sync: Int64, _ db: Database
  ) throws {
    guard !pending.isEmpty else { return }
    var outcomes: [UID: String] = [:]
    outcomes.reserveCapacity(settlements.count)
    var withdrawn: Set<UID> = []
    for settlement in settlements {
      outcomes[settlement.uid] = settlement.isGivenUp ? "given up" : "done"
      if settlement.change == .withdraw { withdrawn.insert(settlement.uid) }
    }
    func state(of row: PendingRow) -> String? {
      !row.isOfRun && withdrawn.contains(row.uid) ? nil : outcomes[row.uid]
    }
    var rest = pending[...]
    while let first = rest.first {
      let outcome = state(of: first)
      let run = rest.prefix { state(of: $0) == outcome }
      if let outcome, let last = run.last {
        try close(first.id...last.id, as: outcome, sync, db)
      }
      rest = rest.dropFirst(run.count)
    }
  }

  /// Moves all pending intents between two row IDs to the history.
  ///
  /// If an intent lacks the content that it replaces, the last agreed content of that side is used.
  /// Additions replace nothing. The rows are selected by ID: an update by the index of pending rows
  /// would remove rows from that index, for which SQLite creates a temporary table.
  private static func close(
    _ rows: ClosedRange<Int64>, as outcome: String, _ sync: Int64, _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: """
        UPDATE journal NOT INDEXED SET state = ?, before = coalesce(before,
          (SELECT CASE
             WHEN action = 'update-remote' OR action = 'delete-remote'
               THEN coalesce(remoteContent, base)
             WHEN action = 'update-local' OR action = 'delete-local' THEN base
           END
           FROM entry WHERE entry.sync = journal.sync AND entry.uid = journal.uid))
        WHERE id BETWEEN ? AND ? AND sync = ? AND state = 'pending'
        """
    ).execute(arguments: [outcome, rows.lowerBound, rows.upperBound, sync])
  }

  // MARK: Outcomes

  /// Inserts or updates an entry.
  ///
  /// REPLACE is not used, because it deletes conflicting rows, and SQLite may have to roll that
  /// back.
  private static let entryUpsertion = """
    INSERT INTO entry
      (sync, uid, localName, localBase, href, etag, remoteBase, base, remoteContent, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (sync, uid) DO UPDATE SET
      localName = excluded.localName, localBase = excluded.localBase, href = excluded.href,
      etag = excluded.etag, remoteBase = excluded.remoteBase, base = excluded.base,
      remoteContent = excluded.remoteContent, origin = excluded.origin
    """

  private static func store(
    _ entry: LedgerEntry, by row: inout RowStatement, of uid: UID, _ sync: Int64
  ) throws {
    try row.add(sync)
    try row.add(bytesOf: uid.rawValue)
    try row.add(bytesOf: entry.localName)
    try row.add(text: entry.localBase.rawValue)
    try row.add(bytesOf: entry.href.rawValue)
    try row.add(text: entry.etag?.rawValue)
    try row.add(text: entry.remoteBase.rawValue)
    try row.add(entry.base)
    try row.add(entry.remoteContent)
    try row.add(entry.origin)
    try row.run()
  }

  private static func apply(
    _ change: Settlement.Change, to uid: UID, _ place: Place, _ db: Database
  ) throws {
    switch change {
    case .keep, .withdraw, .record: break
    case .forget:
      try db.cachedStatement(sql: "DELETE FROM entry WHERE sync = ? AND uid = ?")
        .execute(arguments: [place.sync, uid.blob])
    case .appended(let record):
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO append (remote, uid, href, etag, fingerprint)
          VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        place.remote, uid.blob, record.href.rawValue.utf8.blob, record.etag?.rawValue,
        record.fingerprint.rawValue,
      ])
    }
  }

  /// Stores the conflict of an item, or deletes one that is resolved.
  private static func store(
    _ conflict: StoredConflict?, for uid: UID, _ sync: Int64, _ db: Database
  ) throws {
    guard let conflict else {
      try db.cachedStatement(sql: "DELETE FROM conflict WHERE sync = ? AND uid = ?")
        .execute(arguments: [sync, uid.blob])
      return
    }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO conflict
          (sync, uid, title, base, remoteBase, local, remote, href, etag, isTakenBack)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      sync, uid.blob, conflict.title, conflict.base?.blob, conflict.remoteBase?.blob,
      conflict.local?.blob, conflict.remote?.blob, conflict.href?.rawValue.utf8.blob,
      conflict.etag?.rawValue, conflict.isTakenBack,
    ])
  }
}
