// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
import CivilTime
import GRDB

/// The results of syncs, and the quarantined items.
extension LedgerDatabase {
  /// Returns the result of the last attempt at each sync, in order of name.
  public func attempts() async throws -> [SyncAttempt] {
    try await read { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM attempt ORDER BY sync").map { row in
        SyncAttempt(
          sync: try row.value("sync"),
          endedAt: Instant(secondsSinceEpoch: try row.value("endedAt")),
          status: try row.value("status"), message: try row.optional("message"),
          lastSuccess: try row.optional("lastSuccess").map(Instant.init(secondsSinceEpoch:)))
      }.array()
    }
  }

  /// Records the result of an attempt at a sync, replacing the previous one.
  public func note(_ attempt: SyncAttempt) async throws {
    try await write { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO attempt (sync, endedAt, status, message, lastSuccess)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [
          attempt.sync, attempt.endedAt.secondsSinceEpoch, attempt.status, attempt.message,
          attempt.lastSuccess?.secondsSinceEpoch,
        ])
    }
  }

  /// Returns the quarantined items of a sync, in order of UID.
  public func quarantine(of binding: SyncBinding) async throws -> [QuarantinedItem] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM quarantine WHERE sync = ? ORDER BY uid", arguments: [sync]
      ).map { row in
        QuarantinedItem(
          uid: UID(try row.identifier("uid")), title: try row.value("title"),
          reason: try row.value("reason"),
          content: try row.optional("content").map(Fingerprint.init),
          failures: try row.value("failures"),
          since: Instant(secondsSinceEpoch: try row.value("since")),
          nextTry: try row.optional("nextTry").map(Instant.init(secondsSinceEpoch:)))
      }.array()
    }
  }

  /// Stores the quarantined items of a sync, replacing the previous ones.
  public func store(_ items: [QuarantinedItem], in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      try db.execute(sql: "DELETE FROM quarantine WHERE sync = ?", arguments: [sync])
      for item in items {
        try db.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO quarantine
              (sync, uid, title, reason, content, failures, since, nextTry)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          sync, item.uid.blob, item.title, item.reason, item.content?.rawValue, item.failures,
          item.since.secondsSinceEpoch, item.nextTry?.secondsSinceEpoch,
        ])
      }
    }
  }
}

/// The calendar properties of both sides.
extension LedgerDatabase {
  /// Returns the properties when the sides last agreed, or nil if they never did.
  public func agreement(of binding: SyncBinding) async throws -> CollectionAgreement? {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return nil }
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM property WHERE sync = ?", arguments: [sync])
      guard let first = rows.first else { return nil }
      var agreement = CollectionAgreement(
        readAt: Instant(secondsSinceEpoch: try first.value("readAt")))
      for row in rows {
        guard let property = CollectionProperty(rawValue: try row.value("name")) else { continue }
        agreement.local[property] = try row.optional("local")
        agreement.remote[property] = try row.optional("remote")
      }
      return agreement
    }
  }

  /// Stores the properties, replacing the previous ones, if a run has this binding.
  public func store(
    _ agreement: CollectionAgreement, of binding: SyncBinding
  ) async throws {
    try await write { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return }
      for property in CollectionProperty.allCases {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO property (sync, name, local, remote, readAt)
            VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            sync, property.rawValue, agreement.local[property], agreement.remote[property],
            agreement.readAt.secondsSinceEpoch,
          ])
      }
    }
  }
}
