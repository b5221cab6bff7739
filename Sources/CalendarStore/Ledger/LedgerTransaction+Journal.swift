// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// The journal: intents before a run makes its changes, and their outcomes.
extension LedgerTransaction {
  /// Returns the intents that an interrupted run left pending, in order.
  public func pendingIntents(of binding: SyncBinding) throws -> [Intent] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all(
      "SELECT * FROM journal WHERE sync = ? AND state = 'pending' ORDER BY id", [sync], Intent.init)
  }

  /// Returns the changes of a run, in order.
  public func journal(of run: RunID) throws -> [JournalLine] {
    try db.all("SELECT * FROM journal WHERE run = ? ORDER BY id", [run.rawValue], JournalLine.init)
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
    var deleted: Set<UID> = []
    // The run of the first change of each item, and the runs that deleted it on purpose.
    var origins: [UID: Int64] = [:]
    var meant: [UID: Set<Int64>] = [:]
    let query = """
      SELECT journal.uid, journal.action, remote.kind, run.undoes, run.id, undone.undoes
      FROM journal
      JOIN run ON run.id = journal.run JOIN remote ON remote.id = run.remote
      LEFT JOIN run AS undone ON undone.id = run.undoes
      WHERE journal.state = 'done' AND journal.action <> 'delete-remote'
        AND (run.local = ?1 OR remote.kind = 'edit' AND journal.href = ?2)
      ORDER BY journal.id
      """
    try db.each(query, [location, location.utf8.blob]) { row in
      let uid = UID(try row.text(0))
      guard uids.contains(uid) else { return true }
      let kind = try row.value(2) as String
      let isDeletion =
        try row.value(1) as String == Intent.Action.deleteLocal.rawValue
      let isByCommand = SyncBinding(
        name: "", local: "", remote: RemoteIdentity(kind: kind, location: "")
      ).isLocal
      let undone = try row.optional(3) as Int64?
      let run = try row.value(4) as Int64
      let origin = origins[uid] ?? run
      origins[uid] = origin
      let isMadeUndone = kind == SyncBinding.edits.remote.kind && undone == origin
      let redone = try row.optional(5) as Int64?
      let isRedo = redone.map { meant[uid]?.contains($0) ?? false } ?? false
      if isDeletion, isByCommand, undone == nil || isMadeUndone || isRedo {
        deleted.insert(uid)
        meant[uid, default: []].insert(run)
      } else {
        deleted.remove(uid)
      }
      return true
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
    var found: [UID: LocalEdit] = [:]
    guard !uids.isEmpty else { return found }
    let query = """
      SELECT journal.uid, journal.run, journal.content FROM journal
      JOIN run ON run.id = journal.run JOIN remote ON remote.id = run.remote
      WHERE journal.state = 'done'
        AND journal.action IN ('create-local', 'update-local', 'delete-local')
        AND (run.local = ?1 OR remote.kind = 'edit' AND journal.href = ?2)
      ORDER BY journal.id DESC
      """
    try db.each(query, [location, location.utf8.blob]) { row in
      let uid = UID(try row.text(0))
      guard uids.contains(uid), found[uid] == nil else { return true }
      found[uid] = LocalEdit(
        run: RunID(try row.value(1) as Int64), content: try row.bytes("content"))
      return found.count < uids.count
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
    let row = try db.statement(Self.intentInsertion)
    for intent in intents {
      if hasPending { try forgetEqual(of: intent, sync) }
      try insert(intent, by: row, run, sync)
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
    let row = try db.statement(Self.entryUpsertion)
    for settlement in settlements {
      if case .record(let entry) = settlement.change {
        try store(entry, by: row, of: settlement.uid, owners.sync)
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
    _ intent: Intent, by row: any LedgerStatement, _ run: RunID, _ sync: Int64
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
    try db.has("SELECT 1 FROM journal WHERE sync = ? AND state = 'pending' LIMIT 1", [sync])
  }

  private func hasConflicts(_ sync: Int64) throws -> Bool {
    try db.has("SELECT 1 FROM conflict WHERE sync = ? LIMIT 1", [sync])
  }

  /// Deletes a pending intent of an interrupted run that equals a new one.
  private func forgetEqual(of intent: Intent, _ sync: Int64) throws {
    try db.execute(
      """
      DELETE FROM journal
      WHERE sync = ?1 AND uid = ?2 AND state = 'pending' AND action = ?3
        AND (content = ?4 OR content IS NULL AND ?4 IS NULL)
        AND (fingerprint = ?5 OR fingerprint IS NULL AND ?5 IS NULL)
        AND (mergedWith = ?6 OR mergedWith IS NULL AND ?6 IS NULL)
        AND (href = ?7 OR href IS NULL AND ?7 IS NULL)
        AND (etag = ?8 OR etag IS NULL AND ?8 IS NULL)
      """,
      [
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
    let query = """
      SELECT uid, id, run, action = 'create-remote' OR action = 'move-remote' FROM journal
      WHERE sync = ? AND state = 'pending' ORDER BY id
      """
    return try db.all(query, [sync]) { row in
      let isOfRun = try row.value(2) as Int64 == run.rawValue
      return (
        UID(try row.text(0)), try row.value(1) as Int64, isOfRun,
        try row.value(3) as Bool
      )
    }
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
    try db.execute(
      """
      UPDATE journal SET state = ?, before = coalesce(before,
        (SELECT CASE
           WHEN action = 'update-remote' OR action = 'delete-remote'
             THEN coalesce(remoteContent, base)
           WHEN action = 'update-local' OR action = 'delete-local' THEN base
         END
         FROM entry WHERE entry.sync = journal.sync AND entry.uid = journal.uid))
      WHERE id BETWEEN ? AND ? AND +sync = ? AND state || '' = 'pending'
      """, [outcome, rows.lowerBound, rows.upperBound, sync])
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
      isOwn = CASE WHEN entry.isOwn = 1 THEN 1 ELSE excluded.isOwn END
    """

  private func store(
    _ entry: LedgerEntry, by row: any LedgerStatement, of uid: UID, _ sync: Int64
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

  private static let appendReplacement = replacement(
    in: "append", key: ["remote", "uid"], values: ["href", "etag", "fingerprint"])
  private static let conflictReplacement = replacement(
    in: "conflict", key: ["sync", "uid"],
    values: [
      "title", "base", "remoteBase", "local", "remote", "href", "etag", "isTakenBack",
    ])

  private func apply(
    _ change: Settlement.Change, to uid: UID, _ owners: Owners
  ) throws {
    switch change {
    case .keep, .withdraw, .record: break
    case .forget:
      try db.execute("DELETE FROM entry WHERE sync = ? AND uid = ?", [owners.sync, uid.blob])
    case .appended(let record):
      try db.execute(
        Self.appendReplacement,
        [
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
      try db.execute("DELETE FROM conflict WHERE sync = ? AND uid = ?", [sync, uid.blob])
      return
    }
    try db.execute(
      Self.conflictReplacement,
      [
        sync, uid.blob, conflict.title, conflict.base?.blob, conflict.remoteBase?.blob,
        conflict.local?.blob, conflict.remote?.blob, conflict.href?.rawValue.utf8.blob,
        conflict.etag?.rawValue, conflict.isTakenBack,
      ])
  }
}

extension JournalLine {
  init(_ row: LedgerRow) throws {
    let intent = try Intent(row)
    let name: String = try row.value("state")
    self.init(
      uid: intent.uid, action: intent.action, before: intent.before, after: intent.content,
      agreed: try row.bytes("agreed"), agreedRemotely: try row.bytes("agreedRemotely"),
      other: intent.other, href: intent.href, state: State(rawValue: name) ?? .pending,
      moved: try row.optional("moved"))
  }
}
