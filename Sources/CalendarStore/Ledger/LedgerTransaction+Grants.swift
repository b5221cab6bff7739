// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import CivilTime
import GRDB

/// The access grants of the user, and the log of requests under each grant.
extension LedgerTransaction {
  private static let selection = """
    SELECT remote.kind, remote.location, remote.user, grant.*
    FROM grant JOIN remote ON remote.id = grant.remote
    """

  /// Returns the grant for a remote, or nil if the user has not decided.
  public func grant(for remote: RemoteIdentity) throws -> AccessGrant? {
    guard let id = try id(of: remote) else { return nil }
    return try Row.fetchOne(
      db, sql: Self.selection + " WHERE grant.remote = ?", arguments: [id]
    ).map(AccessGrant.init)
  }

  /// Returns all grants, in order of remote.
  public func grants() throws -> [AccessGrant] {
    try Row.fetchCursor(
      db, sql: Self.selection + " ORDER BY remote.kind, remote.location, remote.user"
    ).map(AccessGrant.init).array()
  }

  /// Stores a grant, replacing an earlier one for the same remote.
  public func store(_ grant: AccessGrant) throws {
    let remote = try makeID(of: grant.remote)
    if grant.tier == .full { try forgetVersions(of: remote) }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO grant (remote, tier, purpose, grantedAt, grantedBy)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        remote, grant.tier.rawValue, grant.purpose,
        grant.grantedAt.secondsSinceEpoch, grant.grantedBy,
      ])
    try add(
      AccessDecision(
        about: .remote(grant.remote), tier: grant.tier, purpose: grant.purpose,
        at: grant.grantedAt, by: grant.grantedBy))
  }

  /// Revokes a grant, so that the user has to decide again.
  ///
  /// - Parameters:
  ///   - remote: The remote.
  ///   - time: The time of the revocation.
  ///   - user: The name of the user's account on this machine.
  /// - Throws: An error of the database.
  public func revoke(_ remote: RemoteIdentity, at time: Instant, by user: String) throws {
    guard let id = try id(of: remote) else { return }
    try db.execute(sql: "DELETE FROM grant WHERE remote = ?", arguments: [id])
    guard db.changesCount > 0 else { return }
    try add(.revocation(of: .remote(remote), at: time, by: user))
  }

  /// Deletes the known versions of a remote's items, unless full access was granted before.
  private func forgetVersions(of remote: Int64) throws {
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

  // MARK: Log

  /// Adds requests to the counts of their class and grant.
  public func log(_ entries: [AccessLogEntry]) throws {
    for entry in entries {
      try db.execute(
        sql: """
          INSERT INTO request
            (remote, tier, grantedAt, effect, action, target, count, firstAt, lastAt)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET
            count = count + excluded.count, firstAt = min(firstAt, excluded.firstAt),
            lastAt = excluded.lastAt
          """,
        arguments: [
          try makeID(of: entry.remote), entry.tier.rawValue,
          entry.grantedAt.secondsSinceEpoch, entry.request.effect.rawValue, entry.request.action,
          entry.request.target, entry.count, entry.firstAt.secondsSinceEpoch,
          entry.lastAt.secondsSinceEpoch,
        ])
    }
  }

  /// Returns all log entries, in order of remote, grant and class.
  public func logEntries() throws -> [AccessLogEntry] {
    try Row.fetchCursor(
      db,
      sql: """
        SELECT remote.kind, remote.location, remote.user, request.*
        FROM request JOIN remote ON remote.id = request.remote
        ORDER BY remote.kind, remote.location, remote.user, request.grantedAt, request.tier,
          request.effect DESC, request.action, request.target
        """
    ).map(AccessLogEntry.init).array()
  }
}

extension AccessLogEntry {
  init(_ row: Row) throws {
    let (tierName, effectName): (String, String) = (try row.value("tier"), try row.value("effect"))
    guard let tier = AccessTier(rawValue: tierName),
      let effect = AccessRequest.Effect(rawValue: effectName)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a logged request has an unknown kind")
    }
    self.init(
      remote: RemoteIdentity(
        kind: try row.value("kind"), location: try row.value("location"),
        user: try row.value("user")),
      tier: tier, grantedAt: Instant(secondsSinceEpoch: try row.value("grantedAt")),
      request: AccessRequest(effect, try row.value("action"), of: try row.value("target")),
      count: try row.value("count"),
      firstAt: Instant(secondsSinceEpoch: try row.value("firstAt")),
      lastAt: Instant(secondsSinceEpoch: try row.value("lastAt")))
  }
}
