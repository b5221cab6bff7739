// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import GRDB

/// What people allowed.
extension LedgerDatabase {
  private static let selection = """
    SELECT remote.kind, remote.location, remote.user, grant.*
    FROM grant JOIN remote ON remote.id = grant.remote
    """

  /// The grant for a remote, or nil while nobody was asked.
  public func grant(for remote: RemoteIdentity) async throws -> AccessGrant? {
    try await read { db in
      guard let id = try Self.id(of: remote, db) else { return nil }
      return try Row.fetchOne(
        db, sql: Self.selection + " WHERE grant.remote = ?", arguments: [id]
      ).map(AccessGrant.init)
    }
  }

  /// All grants, in order of remote.
  public func grants() async throws -> [AccessGrant] {
    try await read { db in
      try Row.fetchCursor(
        db, sql: Self.selection + " ORDER BY remote.kind, remote.location, remote.user"
      ).map(AccessGrant.init).array()
    }
  }

  /// Stores a grant, in place of an earlier one for the same remote.
  public func store(_ grant: AccessGrant) async throws {
    try await write { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO grant (remote, tier, purpose, grantedAt, grantedBy)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [
          try Self.makeID(of: grant.remote, db), grant.tier.rawValue, grant.purpose,
          grant.grantedAt.secondsSinceEpoch, grant.grantedBy,
        ])
    }
  }

  /// Takes a grant back; the remote is then as if nobody had been asked.
  public func revoke(_ remote: RemoteIdentity) async throws {
    try await write { db in
      guard let id = try Self.id(of: remote, db) else { return }
      try db.execute(sql: "DELETE FROM grant WHERE remote = ?", arguments: [id])
    }
  }
}
