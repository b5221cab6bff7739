// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import CivilTime
import GRDB

/// The history of all changes, with the data to undo them.
extension LedgerDatabase {
  /// Returns the runs of one sync or of all syncs, newest first.
  ///
  /// Runs without changes are only kept until the next run.
  public func runs(of sync: String?) async throws -> [PastRun] {
    try await read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run.*, sync.name AS syncName, remote.kind, remote.location, remote.user
          FROM run JOIN sync ON sync.id = run.sync JOIN remote ON remote.id = run.remote
          WHERE :sync IS NULL OR sync.name = :sync
          ORDER BY run.id DESC
          """, arguments: ["sync": sync]
      ).map(PastRun.init).array()
    }
  }

  /// Returns the changes of a run, in order.
  public func journal(of run: RunID) async throws -> [JournalLine] {
    try await read { db in
      try Row.fetchCursor(
        db, sql: "SELECT * FROM journal WHERE run = ? ORDER BY id", arguments: [run.rawValue]
      ).map(JournalLine.init).array()
    }
  }

  /// Records that a run undoes an earlier one.
  public func note(_ run: RunID, undoes earlier: RunID) async throws {
    try await write { db in
      try db.execute(
        sql: "UPDATE run SET undoes = ? WHERE id = ?",
        arguments: [earlier.rawValue, run.rawValue])
    }
  }

  /// Records that an item was moved between the calendars of two syncs.
  public func note(_ uid: UID, movedFrom departure: String, to arrival: String) async throws {
    try await write { db in
      for (sync, other) in [(departure, arrival), (arrival, departure)] {
        try db.execute(
          sql: """
            UPDATE journal SET moved = ? WHERE id =
              (SELECT max(journal.id) FROM journal JOIN sync ON sync.id = journal.sync
               WHERE sync.name = ? AND journal.uid = ? AND journal.state = 'done')
            """, arguments: [other, sync, uid.blob])
      }
    }
  }

  /// Sets the times of runs that a clock noted that ran ahead to the present.
  static func moveBack(_ sync: Int64, after now: Instant, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE run SET startedAt = min(startedAt, :now), endedAt = min(endedAt, :now)
        WHERE sync = :sync AND (startedAt > :now OR endedAt > :now)
        """, arguments: ["sync": sync, "now": now.secondsSinceEpoch])
  }

  /// Removes old runs of a sync, and runs without changes.
  ///
  /// The latest run and runs with pending intents are kept.
  ///
  /// Of the old runs, only those of the oldest day are removed at a time, so that a clock that runs
  /// ahead once does not empty the history.
  static func prune(
    _ sync: Int64, before limit: Instant, latest run: RunID, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        DELETE FROM run WHERE sync = :sync AND id <> :latest
          AND NOT EXISTS
            (SELECT 1 FROM journal WHERE journal.run = run.id AND journal.state = 'pending')
          AND NOT EXISTS
            (SELECT 1 FROM propertyJournal AS other
             WHERE other.run = run.id AND other.state = 'pending')
          AND (startedAt < :limit AND startedAt <
              (SELECT min(startedAt) FROM run AS oldest WHERE oldest.sync = :sync
                AND NOT EXISTS (SELECT 1 FROM journal
                  WHERE journal.run = oldest.id AND journal.state = 'pending')
                AND NOT EXISTS (SELECT 1 FROM propertyJournal AS other
                  WHERE other.run = oldest.id AND other.state = 'pending')) + 86400
            OR NOT EXISTS (SELECT 1 FROM journal WHERE journal.run = run.id)
              AND NOT EXISTS (SELECT 1 FROM propertyJournal AS other WHERE other.run = run.id))
        """,
      arguments: ["sync": sync, "latest": run.rawValue, "limit": limit.secondsSinceEpoch])
  }
}

extension PastRun {
  init(_ row: Row) throws {
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
  }
}

extension SyncBinding {
  /// The binding of a run's sync.
  fileprivate init(ofRun row: Row) throws {
    self.init(
      name: try row.value("syncName"), local: try row.value("local"),
      remote: RemoteIdentity(
        kind: try row.value("kind"), location: try row.value("location"),
        user: try row.value("user")),
      filter: try row.value("filter"))
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
