// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// The runs of syncs with their history, and the last attempt at each sync.
extension LedgerTransaction {
  /// Starts a run, binds the sync to `binding`, and deletes the entries of another binding.
  public func beginRun(of binding: SyncBinding, at now: Instant) throws -> RunID {
    guard db.canBeginRuns || binding.isLocal else {
      throw LedgerFault.failed("a run of a sync needs the lease of the ledger")
    }
    let sync = try bind(binding)
    let id = try db.insert(
      """
      INSERT INTO run (sync, startedAt, local, remote, filter)
      SELECT id, ?, local, remote, filter FROM sync WHERE id = ?
      RETURNING id
      """, [now.secondsSinceEpoch, sync])
    return RunID(id)
  }

  /// Ends a run with its summary, and removes the oldest runs; without a time, the end stays unset.
  public func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) throws {
    let limit = now.map { $0.adding(seconds: -Int64(historyDays) * 86_400) ?? $0 }
    let sync = try owners(of: run).sync
    try db.execute(
      """
      UPDATE run SET endedAt = ?, uploaded = ?, downloaded = ?, deletedRemotely = ?,
        deletedLocally = ?, appended = ?, conflicts = ?, failed = ?, deferred = ?,
        properties = ?, stoppedByGuard = ?
      WHERE id = ?
      """,
      [
        now?.secondsSinceEpoch, summary.uploaded, summary.downloaded, summary.deletedRemotely,
        summary.deletedLocally, summary.appended, summary.conflicts, summary.failed,
        summary.deferred, summary.properties, summary.stoppedByGuard, run.rawValue,
      ])
    if let now, let limit {
      try moveBack(sync, after: now)
      try prune(sync, before: limit, latest: run)
    }
  }

  /// Returns the runs of one sync or of all syncs, newest first.
  ///
  /// Runs without changes are only kept until the next run.
  public func runs(of sync: String?) throws -> [PastRun] {
    guard let sync else { return try runs(where: "1 = 1") }
    return try runs(where: "sync.name = ?", [sync])
  }

  /// Returns the runs with changes whose outcome is unknown, newest first.
  public func interruptedRuns() throws -> [PastRun] {
    try runs(where: "run.id IN (SELECT run FROM journal WHERE state = 'pending')")
  }

  private func runs(
    where condition: String, _ arguments: [(any LedgerArgument)?] = []
  ) throws -> [PastRun] {
    try db.all(
      """
      SELECT run.*, sync.name AS syncName, remote.kind, remote.location, remote."user"
      FROM run JOIN sync ON sync.id = run.sync JOIN remote ON remote.id = run.remote
      WHERE \(condition)
      ORDER BY run.id DESC
      """, arguments, PastRun.init)
  }

  /// The maximum total size of the contents of recent changes, in bytes.
  private static let recentBytes = 16 << 20

  /// Returns the last completed changes of a sync, newest first.
  ///
  /// Runs with another binding are left out. There are at most `limit` changes, and fewer if their
  /// contents are large.
  public func recentChanges(of binding: SyncBinding, limit: Int) throws -> [PastChange] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    // The order of the tables is fixed, so that rows are read from the end of the journal.
    var (changes, size): ([PastChange], Int) = ([], 0)
    let query = """
      SELECT journal.*, run.startedAt AS startedAt
      FROM journal JOIN run ON run.id = +journal.run JOIN sync ON sync.id = +run.sync
      WHERE +journal.sync = ? AND journal.state = 'done' AND run.local = sync.local
        AND run.remote = sync.remote AND run.filter = sync.filter
      ORDER BY journal.id DESC LIMIT ?
      """
    try db.each(query, [sync, limit]) { row in
      let line = try JournalLine(row)
      size += [line.before, line.after, line.agreed, line.agreedRemotely, line.other]
        .reduce(0) { $0 + ($1?.count ?? 0) }
      changes.append(
        PastChange(
          run: RunID(try row.value("run")),
          startedAt: Instant(secondsSinceEpoch: try row.value("startedAt")), line: line))
      return size < Self.recentBytes
    }
    return changes
  }

  /// Returns the items whose last completed change by a sync was their deletion on the remote.
  ///
  /// - Parameter binding: The sync; runs with another binding are left out.
  /// - Returns: The items.
  /// - Throws: An error of the database.
  public func sentDeletions(of binding: SyncBinding) throws -> Set<UID> {
    guard let sync = try sync(boundTo: binding) else { return [] }
    let uids = try db.all(
      """
      SELECT uid FROM journal WHERE action = 'delete-remote' AND id IN
        (SELECT max(journal.id)
         FROM journal JOIN run ON run.id = journal.run JOIN sync ON sync.id = run.sync
         WHERE journal.sync = ? AND journal.state = 'done' AND run.local = sync.local
           AND run.remote = sync.remote
         GROUP BY journal.uid)
      """, [sync]
    ) { UID(try $0.text(0)) }
    return Set(uids)
  }

  /// Records that a run undoes an earlier one.
  public func note(_ run: RunID, undoes earlier: RunID) throws {
    try db.execute("UPDATE run SET undoes = ? WHERE id = ?", [earlier.rawValue, run.rawValue])
  }

  /// Records that a run is the user's choice between the versions of a conflict.
  public func noteChoice(_ run: RunID) throws {
    try db.execute("UPDATE run SET isChoice = 1 WHERE id = ?", [run.rawValue])
  }

  /// Records that an item was moved between the calendars of two syncs.
  public func note(_ uid: UID, movedFrom departure: String, to arrival: String) throws {
    for (sync, other) in [(departure, arrival), (arrival, departure)] {
      try db.execute(
        """
        UPDATE journal SET moved = ? WHERE id =
          (SELECT max(journal.id) FROM journal JOIN sync ON sync.id = journal.sync
           WHERE sync.name = ? AND journal.uid = ? AND journal.state = 'done')
        """, [other, sync, uid.blob])
    }
  }

  /// Returns the result of the last attempt at each sync, in order of name.
  public func attempts() throws -> [SyncAttempt] {
    try db.all("SELECT * FROM attempt ORDER BY sync") { row in
      SyncAttempt(
        sync: try row.value("sync"),
        endedAt: Instant(secondsSinceEpoch: try row.value("endedAt")),
        status: try row.value("status"), message: try row.optional("message"),
        lastSuccess: try row.optional("lastSuccess").map(Instant.init(secondsSinceEpoch:)))
    }
  }

  private static let attemptReplacement = replacement(
    in: "attempt", key: ["sync"], values: ["endedAt", "status", "message", "lastSuccess"])

  /// Records the result of an attempt at a sync, replacing the previous one.
  public func note(_ attempt: SyncAttempt) throws {
    try db.execute(
      Self.attemptReplacement,
      [
        attempt.sync, attempt.endedAt.secondsSinceEpoch, attempt.status, attempt.message,
        attempt.lastSuccess?.secondsSinceEpoch,
      ])
  }

  // MARK: Old runs

  /// Sets future times of runs to the present, because the clock ran ahead when they were recorded.
  private func moveBack(_ sync: Int64, after now: Instant) throws {
    try db.execute(
      """
      UPDATE run SET
        startedAt = CASE WHEN startedAt > ?2 THEN ?2 ELSE startedAt END,
        endedAt = CASE WHEN endedAt > ?2 THEN ?2 ELSE endedAt END
      WHERE sync = ?1 AND (startedAt > ?2 OR endedAt > ?2)
      """, [sync, now.secondsSinceEpoch])
  }

  /// Removes old runs of a sync, and runs without changes.
  ///
  /// The latest run and runs with pending intents are kept. A choice is kept without changes, too,
  /// because it is a change of the user's, and so is an undo, which decides about the next one.
  ///
  /// Of the old runs, only those of the oldest day are removed at a time, so that a clock that runs
  /// ahead once does not empty the history.
  private func prune(
    _ sync: Int64, before limit: Instant, latest run: RunID
  ) throws {
    try db.execute(
      """
      DELETE FROM run WHERE sync = ?1 AND id <> ?2
        AND NOT EXISTS
          (SELECT 1 FROM journal WHERE journal.run = run.id AND journal.state = 'pending')
        AND NOT EXISTS
          (SELECT 1 FROM propertyJournal AS other
           WHERE other.run = run.id AND other.state = 'pending')
        AND (startedAt < ?3 AND startedAt <
            (SELECT min(startedAt) FROM run AS oldest WHERE oldest.sync = ?1
              AND NOT EXISTS (SELECT 1 FROM journal
                WHERE journal.run = oldest.id AND journal.state = 'pending')
              AND NOT EXISTS (SELECT 1 FROM propertyJournal AS other
                WHERE other.run = oldest.id AND other.state = 'pending')) + 86400
          OR isChoice = 0 AND undoes IS NULL
            AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.run = run.id)
            AND NOT EXISTS (SELECT 1 FROM propertyJournal AS other WHERE other.run = run.id))
      """, [sync, run.rawValue, limit.secondsSinceEpoch])
  }
}

extension PastRun {
  init(_ row: LedgerRow) throws {
    var summary = RunSummary()
    summary.uploaded = try row.value("uploaded")
    summary.downloaded = try row.value("downloaded")
    summary.deletedRemotely = try row.value("deletedRemotely")
    summary.deletedLocally = try row.value("deletedLocally")
    summary.appended = try row.value("appended")
    summary.conflicts = try row.value("conflicts")
    summary.failed = try row.value("failed")
    summary.deferred = try row.value("deferred")
    summary.properties = try row.value("properties")
    summary.stoppedByGuard = try row.value("stoppedByGuard")
    self.init(
      id: RunID(try row.value("id")), sync: try row.value("syncName"),
      binding: try SyncBinding(ofRun: row),
      startedAt: Instant(secondsSinceEpoch: try row.value("startedAt")),
      endedAt: try row.optional("endedAt").map(Instant.init(secondsSinceEpoch:)), summary: summary,
      undoes: try row.optional("undoes").map(RunID.init))
    // A ledger that is only read may be without the column.
    isChoice = try row.hasColumn("isChoice") && row.value("isChoice")
  }
}

extension SyncBinding {
  /// The binding of a run's sync.
  fileprivate init(ofRun row: LedgerRow) throws {
    self.init(
      name: try row.value("syncName"), local: try row.value("local"),
      remote: RemoteIdentity(
        kind: try row.value("kind"), location: try row.value("location"),
        user: try row.value("user")),
      filter: try row.value("filter"))
  }
}
