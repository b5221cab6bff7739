// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import GRDB

/// The log of requests under each grant.
extension LedgerDatabase: AccessLog {
  /// Adds requests to the counts of their class and grant.
  public func log(_ entries: [AccessLogEntry]) async throws {
    try await write { db in
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
            try Self.makeID(of: entry.remote, db), entry.tier.rawValue,
            entry.grantedAt.secondsSinceEpoch, entry.request.effect.rawValue, entry.request.action,
            entry.request.target, entry.count, entry.firstAt.secondsSinceEpoch,
            entry.lastAt.secondsSinceEpoch,
          ])
      }
    }
  }

  /// Returns all log entries, in order of remote, grant and class.
  public func logEntries() async throws -> [AccessLogEntry] {
    try await read { db in
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
}

extension AccessLogEntry {
  init(_ row: Row) throws {
    let (tierName, effectName): (String, String) = (try row.value("tier"), try row.value("effect"))
    guard let tier = AccessTier(rawValue: tierName),
      let effect = AccessRequest.Effect(rawValue: effectName)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a logged request is of no known kind")
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
