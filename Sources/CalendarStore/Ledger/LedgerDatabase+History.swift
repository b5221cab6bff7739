// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
package import CivilTime
import GRDB

/// A run of a sync as the ledger remembers it.
package struct PastRun: Hashable, Sendable {
  package let id: RunID
  package let startedAt: Instant
  /// Nil if the run was cut off, or goes on.
  package let endedAt: Instant?
  package let summary: RunSummary
}

/// A change that a run made, or was about to make.
package struct JournalLine: Hashable, Sendable {
  package let uid: UID
  package let action: Intent.Action
  /// What was there before; nil for an addition.
  package let before: [UInt8]?
  /// What was written; nil for a deletion.
  package let after: [UInt8]?
  package let href: Href?
  /// Whether it is known to have been made.
  package let isDone: Bool
}

/// The history: what happened to which item, with what is needed to undo it.
extension LedgerDatabase {
  /// The runs of a sync, the newest first.
  ///
  /// Those that changed nothing are remembered only until the next one.
  package func runs(of sync: String) async throws -> [PastRun] {
    try await read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run.* FROM run JOIN sync ON sync.id = run.sync WHERE sync.name = ?
          ORDER BY run.id DESC
          """, arguments: [sync]
      ).map(PastRun.init).array()
    }
  }

  /// What a run did, in its order.
  package func journal(of run: RunID) async throws -> [JournalLine] {
    try await read { db in
      try Row.fetchCursor(
        db, sql: "SELECT * FROM journal WHERE run = ? ORDER BY id", arguments: [run.rawValue]
      ).map { row in
        let intent = try Intent(row)
        let state: String = try row.value("state")
        return JournalLine(
          uid: intent.uid, action: intent.action, before: intent.before, after: intent.content,
          href: intent.href, isDone: state == "done")
      }.array()
    }
  }

  /// Lets go of old runs of a sync; never of one with an intent that is pending, nor of the latest.
  static func prune(
    _ sync: Int64, keeping limit: Int, latest run: RunID, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        DELETE FROM run WHERE sync = :sync AND id <> :latest
          AND NOT EXISTS
            (SELECT 1 FROM journal WHERE journal.run = run.id AND journal.state = 'pending')
          AND id NOT IN
            (SELECT DISTINCT journal.run FROM journal WHERE journal.sync = :sync
             ORDER BY journal.run DESC LIMIT :limit)
        """, arguments: ["sync": sync, "latest": run.rawValue, "limit": limit])
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
    summary.stoppedByGuard = try row.value("stoppedByGuard")
    self.init(
      id: RunID(try row.value("id")),
      startedAt: Instant(secondsSinceEpoch: try row.value("startedAt")),
      endedAt: try row.optional("endedAt").map(Instant.init(secondsSinceEpoch:)), summary: summary)
  }
}
