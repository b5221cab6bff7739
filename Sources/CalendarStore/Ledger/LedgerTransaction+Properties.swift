// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime

/// The agreed calendar properties, and the journal of changes to them.
extension LedgerTransaction {
  /// Returns the properties when the sides last agreed, or nil if they never did.
  public func agreement(of binding: SyncBinding) throws -> CollectionAgreement? {
    guard let sync = try sync(boundTo: binding) else { return nil }
    var agreement: CollectionAgreement?
    try db.each("SELECT * FROM property WHERE sync = ?", [sync]) { row in
      let readAt = Instant(secondsSinceEpoch: try row.value("readAt"))
      var known = agreement ?? CollectionAgreement(readAt: readAt)
      if let property = CollectionProperty(rawValue: try row.value("name")) {
        known.local[property] = try row.optional("local")
        known.remote[property] = try row.optional("remote")
      }
      agreement = known
      return true
    }
    return agreement
  }

  private static let propertyReplacement = replacement(
    in: "property", key: ["sync", "name"], values: ["local", "remote", "readAt"])

  /// Stores the properties, replacing the previous ones, if a run has this binding.
  public func store(
    _ agreement: CollectionAgreement, of binding: SyncBinding
  ) throws {
    guard let sync = try sync(boundTo: binding) else { return }
    for property in CollectionProperty.allCases {
      try db.execute(
        Self.propertyReplacement,
        [
          sync, property.rawValue, agreement.local[property], agreement.remote[property],
          agreement.readAt.secondsSinceEpoch,
        ])
    }
  }

  /// Returns the property changes that an interrupted run left pending, in order.
  public func pendingProperties(of binding: SyncBinding) throws -> [PropertyLine] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all(
      "SELECT * FROM propertyJournal WHERE sync = ? AND state = 'pending' ORDER BY id", [sync],
      PropertyLine.init)
  }

  /// Makes a property change durable before it is sent.
  public func record(_ line: PropertyLine, in run: RunID) throws {
    let sync = try owners(of: run).sync
    try db.execute(
      """
      INSERT INTO propertyJournal (run, sync, side, name, before, after, agreed)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        run.rawValue, sync, line.side.rawValue, line.property.rawValue, line.before?.utf8.blob,
        line.after?.utf8.blob, line.agreed?.utf8.blob,
      ])
  }

  /// Records the outcome of a pending property change.
  public func settle(_ line: PropertyLine, in run: RunID) throws {
    let sync = try owners(of: run).sync
    try db.execute(
      """
      UPDATE propertyJournal SET state = ?1
      WHERE sync = ?2 AND state = 'pending' AND side = ?3 AND name = ?4
        AND (before = ?5 OR before IS NULL AND ?5 IS NULL)
        AND (after = ?6 OR after IS NULL AND ?6 IS NULL)
      """,
      [
        line.state.rawValue, sync, line.side.rawValue, line.property.rawValue,
        line.before?.utf8.blob, line.after?.utf8.blob,
      ])
  }

  /// Returns the property changes of a run, in order.
  public func propertyJournal(of run: RunID) throws -> [PropertyLine] {
    try db.all(
      "SELECT * FROM propertyJournal WHERE run = ? ORDER BY id", [run.rawValue], PropertyLine.init)
  }
}

extension PropertyLine {
  init(_ row: LedgerRow) throws {
    let (side, name): (String, String) = (try row.value("side"), try row.value("name"))
    guard let side = MergeSide(rawValue: side), let property = CollectionProperty(rawValue: name)
    else {
      throw LedgerFault.corrupt(
        "the journal holds the unknown property '\(name)' or the unknown side '\(side)'")
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
