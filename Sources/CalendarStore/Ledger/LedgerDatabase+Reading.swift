// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import GRDB

/// The data for planning a run.
extension LedgerDatabase {
  /// Returns the entries of a sync, in order of UID; empty for another binding.
  public func entries(of binding: SyncBinding) async throws -> [LedgerEntry] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM entry WHERE sync = ? ORDER BY uid", arguments: [sync]
      ).map(LedgerEntry.init).array()
    }
  }

  /// Returns the intents that an interrupted run left pending, in order.
  public func pendingIntents(of binding: SyncBinding) async throws -> [Intent] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM journal WHERE sync = ? AND state = 'pending' ORDER BY id",
        arguments: [sync]
      ).map(Intent.init).array()
    }
  }

  /// Returns the conflicts that need a decision, in order of UID.
  public func conflicts(of binding: SyncBinding) async throws -> [StoredConflict] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM conflict WHERE sync = ? ORDER BY uid", arguments: [sync]
      ).map(StoredConflict.init).array()
    }
  }

  /// Returns all events that were added to a remote under write-only access, in order of UID.
  public func appended(to remote: RemoteIdentity) async throws -> [AppendRecord] {
    try await read { db in
      guard let id = try Self.id(of: remote, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM append WHERE remote = ? ORDER BY uid", arguments: [id]
      ).map(AppendRecord.init).array()
    }
  }

  /// Returns the row ID of a remote, or nil if the remote is unknown.
  static func id(of remote: RemoteIdentity, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT id FROM remote WHERE kind = ? AND location = ? AND user = ?",
      arguments: [remote.kind, remote.location, remote.user])
  }

  /// Returns the row ID of a sync if it has exactly this binding.
  static func sync(boundTo binding: SyncBinding, _ db: Database) throws -> Int64? {
    guard let remote = try id(of: binding.remote, db) else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT id FROM sync WHERE name = ? AND local = ? AND remote = ? AND filter = ?",
      arguments: [binding.name, binding.local, remote, binding.filter])
  }
}

extension Cursor {
  /// Returns the remaining elements of the cursor.
  func array() throws -> [Element] { try Array(self) }
}
