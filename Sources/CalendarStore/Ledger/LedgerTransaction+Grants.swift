// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import CivilTime

/// The access grants of the user, and the log of requests under each grant.
extension LedgerTransaction {
  private static let selection = """
    SELECT remote.kind, remote.location, remote."user", "grant".*
    FROM "grant" JOIN remote ON remote.id = "grant".remote
    """

  /// Returns the grant for a remote, or nil if the user has not decided.
  public func grant(for remote: RemoteIdentity) throws -> AccessGrant? {
    guard let id = try id(of: remote) else { return nil }
    return try db.first(Self.selection + " WHERE \"grant\".remote = ?", [id], AccessGrant.init)
  }

  /// Returns all grants, in order of remote.
  public func grants() throws -> [AccessGrant] {
    try db.all(
      Self.selection + " ORDER BY remote.kind, remote.location, remote.\"user\"", [],
      AccessGrant.init)
  }

  private static let grantReplacement = replacement(
    in: "\"grant\"", key: ["remote"], values: ["tier", "purpose", "grantedAt", "grantedBy"])

  /// Stores a grant, replacing an earlier one for the same remote.
  public func store(_ grant: AccessGrant) throws {
    let remote = try makeID(of: grant.remote)
    if grant.tier == .full { try forgetVersions(of: remote) }
    try db.execute(
      Self.grantReplacement,
      [
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
    let query = "DELETE FROM \"grant\" WHERE remote = ?"
    guard try db.execute(query, [id]) > 0 else { return }
    try add(.revocation(of: .remote(remote), at: time, by: user))
  }

  /// Deletes the known versions of a remote's items, unless full access was granted before.
  private func forgetVersions(of remote: Int64) throws {
    let earlier = try db.text("SELECT tier FROM \"grant\" WHERE remote = ?", [remote])
    guard earlier != AccessTier.full.rawValue else { return }
    let syncs = "(SELECT id FROM sync WHERE remote = ?)"
    for change in [
      "UPDATE entry SET etag = NULL WHERE sync IN \(syncs)",
      "UPDATE append SET etag = NULL WHERE remote = ?",
      """
      UPDATE checkpoint SET cursor = NULL, isAtRest = 0, verifiedAt = NULL WHERE sync IN \(syncs)
      """,
    ] { try db.execute(change, [remote]) }
  }

  // MARK: Log

  /// Adds requests to the counts of their class and grant.
  public func log(_ entries: [AccessLogEntry]) throws {
    for entry in entries {
      try db.execute(
        """
        INSERT INTO request
          (remote, tier, grantedAt, effect, action, target, count, firstAt, lastAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (remote, tier, grantedAt, effect, action, target) DO UPDATE SET
          count = request.count + excluded.count,
          firstAt = CASE WHEN request.firstAt < excluded.firstAt THEN request.firstAt
            ELSE excluded.firstAt END,
          lastAt = excluded.lastAt
        """,
        [
          try makeID(of: entry.remote), entry.tier.rawValue,
          entry.grantedAt.secondsSinceEpoch, entry.request.effect.rawValue, entry.request.action,
          entry.request.target, entry.count, entry.firstAt.secondsSinceEpoch,
          entry.lastAt.secondsSinceEpoch,
        ])
    }
  }

  /// Returns all log entries, in order of remote, grant and class.
  public func logEntries() throws -> [AccessLogEntry] {
    try db.all(
      """
      SELECT remote.kind, remote.location, remote."user", request.*
      FROM request JOIN remote ON remote.id = request.remote
      ORDER BY remote.kind, remote.location, remote."user", request.grantedAt, request.tier,
        request.effect DESC, request.action, request.target
      """, [], AccessLogEntry.init)
  }
}

extension AccessLogEntry {
  init(_ row: LedgerRow) throws {
    let (tierName, effectName): (String, String) = (try row.value("tier"), try row.value("effect"))
    guard let tier = AccessTier(rawValue: tierName),
      let effect = AccessRequest.Effect(rawValue: effectName)
    else {
      throw LedgerFault.corrupt("a logged request has an unknown kind")
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
