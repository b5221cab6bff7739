// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import GRDB

/// The access grants of the user.
extension LedgerDatabase {
  private static let selection = """
    SELECT remote.kind, remote.location, remote.user, grant.*
    FROM grant JOIN remote ON remote.id = grant.remote
    """

  /// Returns the grant for a remote, or nil if the user has not decided.
  public func grant(for remote: RemoteIdentity) async throws -> AccessGrant? {
    try await read { db in
      guard let id = try Self.id(of: remote, db) else { return nil }
      return try Row.fetchOne(
        db, sql: Self.selection + " WHERE grant.remote = ?", arguments: [id]
      ).map(AccessGrant.init)
    }
  }

  /// Returns all grants, in order of remote.
  public func grants() async throws -> [AccessGrant] {
    try await read { db in
      try Row.fetchCursor(
        db, sql: Self.selection + " ORDER BY remote.kind, remote.location, remote.user"
      ).map(AccessGrant.init).array()
    }
  }

  /// Stores a grant, replacing an earlier one for the same remote.
  public func store(_ grant: AccessGrant) async throws {
    try await write { db in
      let remote = try Self.makeID(of: grant.remote, db)
      if grant.tier == .full { try Self.forgetVersions(of: remote, db) }
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO grant (remote, tier, purpose, grantedAt, grantedBy)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [
          remote, grant.tier.rawValue, grant.purpose,
          grant.grantedAt.secondsSinceEpoch, grant.grantedBy,
        ])
    }
  }

  /// Revokes a grant, so that the user has to decide again.
  public func revoke(_ remote: RemoteIdentity) async throws {
    try await write { db in
      guard let id = try Self.id(of: remote, db) else { return }
      try db.execute(sql: "DELETE FROM grant WHERE remote = ?", arguments: [id])
    }
  }

  /// Deletes the known versions of a remote's items, unless full access was granted before.
  private static func forgetVersions(of remote: Int64, _ db: Database) throws {
    let earlier = try String.fetchOne(
      db, sql: "SELECT tier FROM grant WHERE remote = ?", arguments: [remote])
    guard earlier != AccessTier.full.rawValue else { return }
    try db.execute(
      sql: """
        UPDATE entry SET etag = NULL WHERE sync IN (SELECT id FROM sync WHERE remote = :remote);
        UPDATE append SET etag = NULL WHERE remote = :remote;
        UPDATE checkpoint SET cursor = NULL, isAtRest = 0, verifiedAt = NULL
          WHERE sync IN (SELECT id FROM sync WHERE remote = :remote);
        """, arguments: ["remote": remote])
  }
}
