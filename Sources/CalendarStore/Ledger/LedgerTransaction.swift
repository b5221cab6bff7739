// SPDX-License-Identifier: Apache-2.0

import CalendarSync

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
  let db: any LedgerConnection
  /// The number of days for which runs with changes are kept.
  let historyDays: Int

  /// The maximum number of reported faults.
  private static let faultLimit = 20

  /// Returns the faults of the database: damaged pages and indexes, and orphaned rows.
  ///
  /// - Returns: The faults; empty if there are none.
  /// - Complexity: It reads the whole database.
  public func faults() throws -> [String] {
    try db.faults(limit: Self.faultLimit)
  }

  // MARK: Remotes and syncs

  /// Returns the row ID of a remote, or nil if the remote is unknown.
  func id(of remote: RemoteIdentity) throws -> Int64? {
    try db.integer(
      "SELECT id FROM remote WHERE kind = ? AND location = ? AND \"user\" = ?",
      [remote.kind, remote.location, remote.user])
  }

  /// Returns the row ID of a sync if it has exactly this binding.
  func sync(boundTo binding: SyncBinding) throws -> Int64? {
    guard let remote = try id(of: binding.remote) else { return nil }
    return try db.integer(
      "SELECT id FROM sync WHERE name = ? AND local = ? AND remote = ? AND filter = ?",
      [binding.name, binding.local, remote, binding.filter])
  }

  /// Returns the row ID of a remote, which is created if necessary.
  func makeID(of remote: RemoteIdentity) throws -> Int64 {
    if let id = try id(of: remote) { return id }
    return try db.insert(
      """
      INSERT INTO remote (kind, location, "user") VALUES (?, ?, ?) RETURNING id
      """, [remote.kind, remote.location, remote.user])
  }

  /// Returns the row ID of a sync with this binding, after deleting the data of another binding.
  func bind(_ binding: SyncBinding) throws -> Int64 {
    if let bound = try sync(boundTo: binding) { return bound }
    let remote = try makeID(of: binding.remote)
    let old = try db.integer("SELECT id FROM sync WHERE name = ?", [binding.name])
    guard let old else {
      return try db.insert(
        "INSERT INTO sync (name, local, remote, filter) VALUES (?, ?, ?, ?) RETURNING id",
        [binding.name, binding.local, remote, binding.filter])
    }
    try db.execute(
      "UPDATE sync SET local = ?, remote = ?, filter = ? WHERE id = ?",
      [binding.local, remote, binding.filter, old])
    try clear(old)
    return old
  }

  /// Deletes what the sides of a sync agreed on; its runs stay in the history.
  ///
  /// - Parameter name: The name of the sync; without such a sync, nothing is done.
  /// - Throws: An error of the database.
  public func forgetAgreement(of name: String) throws {
    let sync = try db.integer("SELECT id FROM sync WHERE name = ?", [name])
    if let sync { try clear(sync) }
  }

  /// Deletes what the sides of a sync agreed on, and gives up its pending changes.
  func clear(_ sync: Int64) throws {
    for table in [
      "entry", "conflict", "checkpoint", "snapshot", "unsettled", "unlisted", "quarantine",
      "property", "outside",
    ] {
      try db.execute("DELETE FROM \(table) WHERE sync = ?", [sync])
    }
    for table in ["journal", "propertyJournal"] {
      try db.execute(
        "UPDATE \(table) SET state = 'given up' WHERE sync = ? AND state = 'pending'", [sync])
    }
  }

  /// The row IDs of the sync of a run, and of the remote to which the sync is bound.
  struct Owners {
    let sync: Int64
    let remote: Int64
  }

  /// Returns the row IDs to which the rows of a run belong.
  func owners(of run: RunID) throws -> Owners {
    let owners = try db.first(
      "SELECT sync.id, sync.remote FROM run JOIN sync ON sync.id = run.sync WHERE run.id = ?",
      [run.rawValue]
    ) { Owners(sync: try $0.value("id"), remote: try $0.value("remote")) }
    guard let owners else {
      throw LedgerFault.failed("the ledger has no run \(run.rawValue)")
    }
    return owners
  }
}

extension LedgerTransaction {
  /// Returns a statement that inserts a row, or replaces all values of the one with its key.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - key: The columns of its key, which are bound first.
  ///   - values: All other columns.
  /// - Returns: The statement.
  static func replacement(
    in table: String, key: [String], values: [String] = []
  ) -> String {
    let columns = key + values
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let changes = values.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))
      ON CONFLICT (\(key.joined(separator: ", "))) DO \
      \(values.isEmpty ? "NOTHING" : "UPDATE SET " + changes)
      """
  }
}
