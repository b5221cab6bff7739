// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import GRDB

/// The ledger in one transaction: all reads and writes of syncs, grants and the history.
///
/// ```swift
/// let ledger = try LedgerDatabase(path: path)
/// let conflicts = try ledger.read { try $0.conflicts(of: binding) }
/// try ledger.write { try $0.revoke(remote, at: now, by: "ada") }
/// ```
///
/// `LedgerDatabase` passes a transaction to a closure and commits it when the closure returns. It
/// cannot be copied, because a copy could be used after the end of the transaction. Each method is
/// an access of `Ledger`, `GrantStore`, `RunHistory` or `AccessLog`, without their `async`.
///
/// - Note: A transaction of `LedgerDatabase.read` throws an error for every write.
///
/// ## Topics
///
/// ### Agreed states
///
/// - ``entries(of:)``
/// - ``entries(of:for:)``
/// - ``places(of:)``
/// - ``places(of:for:at:)``
/// - ``conflicts(of:)``
/// - ``quarantine(of:)``
/// - ``outside(of:)``
/// - ``appended(to:)``
/// - ``agreement(of:)``
/// - ``checkpoint(of:)``
///
/// ### Runs
///
/// - ``beginRun(of:at:)``
/// - ``settle(_:)``
/// - ``endRun(_:summary:at:)``
/// - ``pendingIntents(of:)``
/// - ``pendingProperties(of:)``
///
/// ### History
///
/// - ``runs(of:)``
/// - ``journal(of:)``
/// - ``propertyJournal(of:)``
/// - ``fileChanges(of:)``
/// - ``attempts()``
///
/// ### Access
///
/// - ``grant(for:)``
/// - ``grants()``
/// - ``revoke(_:at:by:)``
/// - ``logEntries()``
///
/// ### Programs
///
/// - ``grant(toProgram:for:)``
/// - ``programGrants()``
/// - ``revoke(program:for:at:by:)``
/// - ``programLog()``
public struct LedgerTransaction: ~Copyable {
  let db: Database
  /// The number of days for which runs with changes are kept.
  let historyDays: Int

  /// The maximum number of reported faults.
  private static let faultLimit = 20

  /// Returns the faults of the database: damaged pages and indexes, and orphaned rows.
  ///
  /// - Returns: The faults; empty if there are none.
  /// - Complexity: It reads the whole database.
  public func faults() throws -> [String] {
    let findings = try String.fetchAll(
      db, sql: "PRAGMA integrity_check(\(Self.faultLimit))")
    let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      .prefix(Self.faultLimit).map { row in
        let table: String = try row.value("table")
        return "a row of the table \(table) refers to a missing row"
      }
    return findings.filter { $0 != "ok" } + orphans
  }

  // MARK: Remotes and syncs

  /// Returns the row ID of a remote, or nil if the remote is unknown.
  func id(of remote: RemoteIdentity) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT id FROM remote WHERE kind = ? AND location = ? AND user = ?",
      arguments: [remote.kind, remote.location, remote.user])
  }

  /// Returns the row ID of a sync if it has exactly this binding.
  func sync(boundTo binding: SyncBinding) throws -> Int64? {
    guard let remote = try id(of: binding.remote) else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT id FROM sync WHERE name = ? AND local = ? AND remote = ? AND filter = ?",
      arguments: [binding.name, binding.local, remote, binding.filter])
  }

  /// Returns the row ID of a remote, which is created if necessary.
  func makeID(of remote: RemoteIdentity) throws -> Int64 {
    if let id = try id(of: remote) { return id }
    try db.execute(
      sql: "INSERT INTO remote (kind, location, user) VALUES (?, ?, ?)",
      arguments: [remote.kind, remote.location, remote.user])
    return db.lastInsertedRowID
  }

  /// Returns the row ID of a sync with this binding, after deleting the data of another binding.
  func bind(_ binding: SyncBinding) throws -> Int64 {
    if let bound = try sync(boundTo: binding) { return bound }
    let remote = try makeID(of: binding.remote)
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
    try clear(old)
    return old
  }

  /// Deletes what the sides of a sync agreed on; its runs stay in the history.
  ///
  /// - Parameter name: The name of the sync; without such a sync, nothing is done.
  /// - Throws: An error of the database.
  public func forgetAgreement(of name: String) throws {
    let sync = try Int64.fetchOne(db, sql: "SELECT id FROM sync WHERE name = ?", arguments: [name])
    if let sync { try clear(sync) }
  }

  /// Deletes what the sides of a sync agreed on, and gives up its pending changes.
  func clear(_ sync: Int64) throws {
    for table in [
      "entry", "conflict", "checkpoint", "snapshot", "unsettled", "unlisted", "quarantine",
      "property", "outside",
    ] {
      try db.execute(sql: "DELETE FROM \(table) WHERE sync = ?", arguments: [sync])
    }
    for table in ["journal", "propertyJournal"] {
      try db.execute(
        sql: "UPDATE \(table) SET state = 'given up' WHERE sync = ? AND state = 'pending'",
        arguments: [sync])
    }
  }

  /// The row IDs of the sync of a run, and of the remote to which the sync is bound.
  struct Owners {
    let sync: Int64
    let remote: Int64
  }

  /// Returns the row IDs to which the rows of a run belong.
  func owners(of run: RunID) throws -> Owners {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT sync.id, sync.remote FROM run JOIN sync ON sync.id = run.sync WHERE run.id = ?",
      arguments: [run.rawValue])
    guard let row else {
      throw DatabaseError(message: "the ledger has no run \(run.rawValue)")
    }
    return Owners(sync: try row.value("id"), remote: try row.value("remote"))
  }
}

extension Cursor {
  /// Returns the remaining elements of the cursor.
  func array() throws -> [Element] { try Array(self) }
}
