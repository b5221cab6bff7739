// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import GRDB

/// The journal: intents before a run makes its changes, and their outcomes.
extension LedgerTransaction {
  /// Returns the intents that an interrupted run left pending, in order.
  public func pendingIntents(of binding: SyncBinding) throws -> [Intent] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM journal WHERE sync = ? AND state = 'pending' ORDER BY id",
      arguments: [sync]
    ).map(Intent.init).array()
  }

  /// Returns the changes of a run, in order.
  public func journal(of run: RunID) throws -> [JournalLine] {
    try Row.fetchCursor(
      db, sql: "SELECT * FROM journal WHERE run = ? ORDER BY id", arguments: [run.rawValue]
    ).map(JournalLine.init).array()
  }

  /// Returns the items whose last recorded change in a local calendar is a deletion by an edit or an
  /// import.
  ///
  /// The changes of a sync count, too: an item that a sync added again was not deleted on purpose. A
  /// deletion on a remote is the consequence of an earlier one. A deletion by an undo is on purpose
  /// only if the undone edit made the item, or if it makes a deletion on purpose again (a redo): the
  /// other side may hold the last copy of an item that a command brought back.
  ///
  /// - Parameters:
  ///   - uids: The items to look up.
  ///   - location: The path of the calendar, in canonical form.
  /// - Returns: The items.
  /// - Throws: An error of the database.
  public func deliberateDeletions(
    among uids: Set<UID>, in location: String
  ) throws -> Set<UID> {
    guard !uids.isEmpty else { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT journal.uid, journal.action, remote.kind, run.undoes, run.id, undone.undoes
        FROM journal
        JOIN run ON run.id = journal.run JOIN remote ON remote.id = run.remote
        LEFT JOIN run AS undone ON undone.id = run.undoes
        WHERE journal.state = 'done' AND journal.action <> 'delete-remote'
          AND (run.local = ?1 OR remote.kind = 'edit' AND journal.href = ?2)
        ORDER BY journal.id
        """, arguments: [location, location.utf8.blob])
    var deleted: Set<UID> = []
    // The run of the first change of each item, and the runs that deleted it on purpose.
    var origins: [UID: Int64] = [:]
    var meant: [UID: Set<Int64>] = [:]
    while let row = try rows.next() {
      let uid = UID(try row.text(0))
      guard uids.contains(uid) else { continue }
      let kind = try row.decode(String.self, atIndex: 2)
      let isDeletion =
        try row.decode(String.self, atIndex: 1) == Intent.Action.deleteLocal.rawValue
      let isByCommand = SyncBinding(
        name: "", local: "", remote: RemoteIdentity(kind: kind, location: "")
      ).isLocal
      let undone = try row.decode(Int64?.self, atIndex: 3)
      let run = try row.decode(Int64.self, atIndex: 4)
      let origin = origins[uid] ?? run
      origins[uid] = origin
      let isMadeUndone = kind == SyncBinding.edits.remote.kind && undone == origin
      let redone = try row.decode(Int64?.self, atIndex: 5)
      let isRedo = redone.map { meant[uid]?.contains($0) ?? false } ?? false
      if isDeletion, isByCommand, undone == nil || isMadeUndone || isRedo {
        deleted.insert(uid)
        meant[uid, default: []].insert(run)
      } else {
        deleted.remove(uid)
      }
    }
    return deleted
  }

  /// Returns the last recorded changes of items in a local calendar by commands, programs and syncs.
  ///
  /// - Parameters:
  ///   - uids: The items to look up.
  ///   - location: The path of the calendar, in canonical form.
  /// - Returns: The changes, by item.
  /// - Throws: An error of the database.
  public func lastEdits(among uids: Set<UID>, in location: String) throws -> [UID: LocalEdit] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT journal.uid, journal.run, journal.content FROM journal
        JOIN run ON run.id = journal.run JOIN remote ON remote.id = run.remote
        WHERE journal.state = 'done'
          AND journal.action IN ('create-local', 'update-local', 'delete-local')
          AND (run.local = ?1 OR remote.kind = 'edit' AND journal.href = ?2)
        ORDER BY journal.id DESC
        """, arguments: [location, location.utf8.blob])
    var found: [UID: LocalEdit] = [:]
    while found.count < uids.count, let row = try rows.next() {
      let uid = UID(try row.text(0))
      guard uids.contains(uid), found[uid] == nil else { continue }
      found[uid] = LocalEdit(
        run: RunID(try row.decode(Int64.self, atIndex: 1)), content: try row.bytes("content"))
    }
    return found
  }

  /// Makes intents durable before any of them is sent.
  ///
  /// An unsettled intent of an earlier run for the same item is kept beside the new one, because
  /// either may be what the other side has. Only an equal intent is replaced.
  public func record(_ intents: [Intent], in run: RunID) throws {
    let sync = try owners(of: run).sync
    try disturb(sync)
    let hasPending = try hasPending(sync)
    var row = try RowStatement(Self.intentInsertion, db)
    for intent in intents {
      if hasPending { try forgetEqual(of: intent, sync) }
      try insert(intent, by: &row, run, sync)
    }
  }

  /// Records outcomes, and moves the intents of their items to the history of their run.
  public func settle(_ outcomes: [RunID: [Settlement]]) throws {
    for (run, settlements) in outcomes { try settle(settlements, in: run) }
  }

  private func settle(
    _ settlements: [Settlement], in run: RunID
  ) throws {
    let owners = try owners(of: run)
    try disturb(owners.sync)
    if settlements.contains(where: \.isAgreement) { try forgetCursor(owners.sync) }
    let pending = try pending(owners.sync, run: run)
    let hasConflicts = try hasConflicts(owners.sync)
    // This precedes all changes to entries, because the history stores the previously agreed
    // content.
    try close(pending, by: settlements, owners.sync)
    let additions = Set(pending.lazy.filter(\.isAddition).map(\.uid))
    var row = try RowStatement(Self.entryUpsertion, db)
    for settlement in settlements {
      if case .record(let entry) = settlement.change {
        try store(entry, by: &row, of: settlement.uid, owners.sync)
        if additions.contains(settlement.uid) { try store(unlisted: entry.href, owners.sync) }
      } else {
        try apply(settlement.change, to: settlement.uid, owners)
      }
      guard hasConflicts || settlement.conflict != nil else { continue }
      try store(settlement.conflict, for: settlement.uid, owners.sync)
    }
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

  private func insert(
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
  private func hasPending(_ sync: Int64) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT 1 FROM journal WHERE sync = ? AND state = 'pending' LIMIT 1"),
      arguments: [sync]) != nil
  }

  private func hasConflicts(_ sync: Int64) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT 1 FROM conflict WHERE sync = ? LIMIT 1"),
      arguments: [sync]) != nil
  }

  /// Deletes a pending intent of an interrupted run that equals a new one.
  private func forgetEqual(of intent: Intent, _ sync: Int64) throws {
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
  private typealias PendingRow = (uid: UID, id: Int64, isOfRun: Bool, isAddition: Bool)

  /// The rows of the pending intents of a sync, in their order.
  private func pending(
    _ sync: Int64, run: RunID
  ) throws -> [PendingRow] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT uid, id, run, action = 'create-remote' OR action = 'move-remote' FROM journal
          WHERE sync = ? AND state = 'pending' ORDER BY id
          """),
      arguments: [sync])
    var pending: [PendingRow] = []
    while let row = try rows.next() {
      let isOfRun = try row.decode(Int64.self, atIndex: 2) == run.rawValue
      pending.append(
        (
          UID(try row.text(0)), try row.decode(Int64.self, atIndex: 1), isOfRun,
          try row.decode(Bool.self, atIndex: 3)
        ))
    }
    return pending
  }

  /// Moves the intents of settled items to the history.
  ///
  /// Consecutive intents with the same outcome, usually a whole batch, are moved with one
  /// statement.
  private func close(
    _ pending: [PendingRow], by settlements: [Settlement], _ sync: Int64
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
        try close(first.id...last.id, as: outcome, sync)
      }
      rest = rest.dropFirst(run.count)
    }
  }

  /// Moves all pending intents between two row IDs to the history.
  ///
  /// If an intent lacks the content that it replaces, the last agreed content of that side is used.
  /// Additions replace nothing. The rows are selected by ID: an update by the index of pending rows
  /// would remove rows from that index, for which SQLite creates a temporary table.
  private func close(
    _ rows: ClosedRange<Int64>, as outcome: String, _ sync: Int64
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
      (sync, uid, localName, localBase, href, hrefKey, etag, remoteBase, base, remoteContent,
       origin, isOwn)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (sync, uid) DO UPDATE SET
      localName = excluded.localName, localBase = excluded.localBase, href = excluded.href,
      hrefKey = excluded.hrefKey, etag = excluded.etag, remoteBase = excluded.remoteBase,
      base = excluded.base, remoteContent = excluded.remoteContent, origin = excluded.origin,
      isOwn = max(isOwn, excluded.isOwn)
    """

  private func store(
    _ entry: LedgerEntry, by row: inout RowStatement, of uid: UID, _ sync: Int64
  ) throws {
    try row.add(sync)
    try row.add(bytesOf: uid.rawValue)
    try row.add(bytesOf: entry.localName)
    try row.add(text: entry.localBase.rawValue)
    try row.add(bytesOf: entry.href.rawValue)
    try row.add(entry.href.comparisonKey)
    try row.add(text: entry.etag?.rawValue)
    try row.add(text: entry.remoteBase.rawValue)
    try row.add(entry.base)
    try row.add(entry.remoteContent)
    try row.add(entry.origin)
    try row.add(entry.isOwn ? 1 : 0)
    try row.run()
  }

  private func apply(
    _ change: Settlement.Change, to uid: UID, _ owners: Owners
  ) throws {
    switch change {
    case .keep, .withdraw, .record: break
    case .forget:
      try db.cachedStatement(sql: "DELETE FROM entry WHERE sync = ? AND uid = ?")
        .execute(arguments: [owners.sync, uid.blob])
    case .appended(let record):
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO append (remote, uid, href, etag, fingerprint)
          VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        owners.remote, uid.blob, record.href.rawValue.utf8.blob, record.etag?.rawValue,
        record.fingerprint.rawValue,
      ])
    }
  }

  /// Stores the conflict of an item, or deletes one that is resolved.
  private func store(
    _ conflict: StoredConflict?, for uid: UID, _ sync: Int64
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

extension JournalLine {
  init(_ row: Row) throws {
    let intent = try Intent(row)
    let name: String = try row.value("state")
    self.init(
      uid: intent.uid, action: intent.action, before: intent.before, after: intent.content,
      agreed: try row.bytes("agreed"), agreedRemotely: try row.bytes("agreedRemotely"),
      other: intent.other, href: intent.href, state: State(rawValue: name) ?? .pending,
      moved: try row.optional("moved"))
  }
}
