// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import GRDB

/// The agreed calendar properties, and the journal of changes to them.
extension LedgerTransaction {
  /// Returns the properties when the sides last agreed, or nil if they never did.
  public func agreement(of binding: SyncBinding) throws -> CollectionAgreement? {
    guard let sync = try sync(boundTo: binding) else { return nil }
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

  /// Stores the properties, replacing the previous ones, if a run has this binding.
  public func store(
    _ agreement: CollectionAgreement, of binding: SyncBinding
  ) throws {
    guard let sync = try sync(boundTo: binding) else { return }
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

  /// Returns the property changes that an interrupted run left pending, in order.
  public func pendingProperties(of binding: SyncBinding) throws -> [PropertyLine] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM propertyJournal WHERE sync = ? AND state = 'pending' ORDER BY id",
      arguments: [sync]
    ).map(PropertyLine.init).array()
  }

  /// Makes a property change durable before it is sent.
  public func record(_ line: PropertyLine, in run: RunID) throws {
    let sync = try owners(of: run).sync
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

  /// Records the outcome of a pending property change.
  public func settle(_ line: PropertyLine, in run: RunID) throws {
    let sync = try owners(of: run).sync
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

  /// Returns the property changes of a run, in order.
  public func propertyJournal(of run: RunID) throws -> [PropertyLine] {
    try Row.fetchCursor(
      db, sql: "SELECT * FROM propertyJournal WHERE run = ? ORDER BY id",
      arguments: [run.rawValue]
    ).map(PropertyLine.init).array()
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
