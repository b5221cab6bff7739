// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import GRDB

/// What a plan is made of.
extension LedgerDatabase {
  /// The entries of a sync, in order of UID; empty if the stored binding is not exactly this one.
  public func entries(of binding: SyncBinding) async throws -> [LedgerEntry] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM entry WHERE sync = ? ORDER BY uid", arguments: [sync]
      ).map(LedgerEntry.init).array()
    }
  }

  /// The intents that a run left behind when it was cut off, in the order in which they were recorded.
  public func pendingIntents(of binding: SyncBinding) async throws -> [Intent] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM journal WHERE sync = ? AND state = 'pending' ORDER BY id",
        arguments: [sync]
      ).map(Intent.init).array()
    }
  }

  /// The conflicts that wait, in order of UID.
  public func conflicts(of binding: SyncBinding) async throws -> [StoredConflict] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM conflict WHERE sync = ? ORDER BY uid", arguments: [sync]
      ).map(StoredConflict.init).array()
    }
  }

  /// The events that were ever added to the remote under write-only access, in order of UID.
  public func appended(to remote: RemoteIdentity) async throws -> [AppendRecord] {
    try await read { db in
      guard let id = try Self.id(of: remote, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM append WHERE remote = ? ORDER BY uid", arguments: [id]
      ).map(AppendRecord.init).array()
    }
  }

  /// The row of a remote, or nil if nothing is known of it.
  static func id(of remote: RemoteIdentity, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT id FROM remote WHERE kind = ? AND location = ? AND user = ?",
      arguments: [remote.kind, remote.location, remote.user])
  }

  /// The row of a sync if it is bound to exactly this.
  static func sync(boundTo binding: SyncBinding, _ db: Database) throws -> Int64? {
    guard let remote = try id(of: binding.remote, db) else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT id FROM sync WHERE name = ? AND local = ? AND remote = ? AND filter = ?",
      arguments: [binding.name, binding.local, remote, binding.filter])
  }
}

extension Cursor {
  /// All that is left in the cursor.
  func array() throws -> [Element] { try Array(self) }
}
