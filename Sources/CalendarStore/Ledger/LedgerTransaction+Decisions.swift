// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime

/// The decisions about the access to remotes and of programs, which are only added.
extension LedgerTransaction {
  /// Adds a decision.
  func add(_ decision: AccessDecision) throws {
    var remote: Int64?
    var program: (identifier: String, entity: ProgramEntity)?
    switch decision.subject {
    case .remote(let identity): remote = try makeID(of: identity)
    case .program(let identifier, let entity): program = (identifier, entity)
    }
    try db.execute(
      """
      INSERT INTO decision (remote, program, entity, tier, purpose, decidedAt, decidedBy)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        remote, program?.identifier.utf8.blob, program?.entity.rawValue, decision.tier?.rawValue,
        decision.purpose.utf8.blob, decision.decidedAt.secondsSinceEpoch, decision.decidedBy,
      ])
  }

  /// Returns all decisions, in order.
  ///
  /// A ledger of an earlier schema that is open for reading has none.
  public func decisions() throws -> [AccessDecision] {
    guard try db.hasTable("decision") else { return [] }
    return try db.all(
      """
      SELECT remote.kind, remote.location, remote."user", decision.*
      FROM decision LEFT JOIN remote ON remote.id = decision.remote ORDER BY decision.id
      """, [], AccessDecision.init)
  }
}

extension AccessDecision {
  fileprivate init(_ row: LedgerRow) throws {
    let isRevocation = try row.optional("tier") as String? == nil
    self.init(
      about: try Self.subject(row), tier: isRevocation ? nil : try row.choice("tier"),
      purpose: try row.identifier("purpose"),
      at: Instant(secondsSinceEpoch: try row.value("decidedAt")), by: try row.value("decidedBy"))
  }

  private static func subject(_ row: LedgerRow) throws -> Subject {
    guard try row.optional("kind") as String? != nil else {
      return .program(try row.identifier("program"), try row.choice("entity"))
    }
    return .remote(
      RemoteIdentity(
        kind: try row.value("kind"), location: try row.value("location"),
        user: try row.value("user")))
  }
}
