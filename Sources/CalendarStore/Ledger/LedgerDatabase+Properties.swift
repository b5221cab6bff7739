// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import GRDB

/// The journal of changes to calendar properties.
extension LedgerDatabase {
  /// Returns the property changes that an interrupted run left pending, in order.
  public func pendingProperties(of binding: SyncBinding) async throws -> [PropertyLine] {
    try await read { db in
      guard let sync = try Self.sync(boundTo: binding, db) else { return [] }
      return try Row.fetchCursor(
        db, sql: "SELECT * FROM propertyJournal WHERE sync = ? AND state = 'pending' ORDER BY id",
        arguments: [sync]
      ).map(PropertyLine.init).array()
    }
  }

  /// Makes a property change durable before it is sent.
  public func record(_ line: PropertyLine, in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      try db.execute(
        sql: """
          INSERT INTO propertyJournal (run, sync, side, name, before, after, agreed)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          run.rawValue, sync, line.side.rawValue, line.property.rawValue, line.before?.utf8.blob,
          line.after?.utf8.blob, line.agreed?.utf8.blob,
        ])
    }
  }

  /// Records the outcome of a pending property change.
  public func settle(_ line: PropertyLine, in run: RunID) async throws {
    try await write { db in
      let sync = try Self.place(of: run, db).sync
      try db.execute(
        sql: """
          UPDATE propertyJournal SET state = ?
          WHERE sync = ? AND state = 'pending' AND side = ? AND name = ? AND before IS ?
            AND after IS ?
          """,
        arguments: [
          line.state.rawValue, sync, line.side.rawValue, line.property.rawValue,
          line.before?.utf8.blob, line.after?.utf8.blob,
        ])
    }
  }

  /// Returns the property changes of a run, in order.
  public func propertyJournal(of run: RunID) async throws -> [PropertyLine] {
    try await read { db in
      try Row.fetchCursor(
        db, sql: "SELECT * FROM propertyJournal WHERE run = ? ORDER BY id",
        arguments: [run.rawValue]
      ).map(PropertyLine.init).array()
    }
  }
}

extension PropertyLine {
  init(_ row: Row) throws {
    let (side, name): (String, String) = (try row.value("side"), try row.value("name"))
    guard let side = MergeSide(rawValue: side), let property = CollectionProperty(rawValue: name)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the journal holds the unknown property '\(name)' or the unknown side '\(side)'")
    }
    let state: String = try row.value("state")
    func text(_ column: String) throws -> String? {
      try row.bytes(column).map { String(decoding: $0, as: UTF8.self) }
    }
    self.init(
      property: property, side: side, before: try text("before"), after: try text("after"),
      agreed: try text("agreed"), state: JournalLine.State(rawValue: state) ?? .pending)
  }
}
