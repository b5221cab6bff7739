// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import CivilTime

/// The decisions of the user about programs, and the log of their uses.
extension LedgerTransaction {
  /// Returns the grant of a program for a kind of items, or nil if the user has not decided.
  public func grant(
    toProgram identifier: String, for entity: ProgramEntity
  ) throws -> ProgramGrant? {
    try db.first(
      "SELECT * FROM program WHERE identifier = ? AND entity = ?",
      [identifier.utf8.blob, entity.rawValue], ProgramGrant.init)
  }

  /// Returns the grants of all programs, in order of identifier and kind of items.
  public func programGrants() throws -> [ProgramGrant] {
    try db.all("SELECT * FROM program ORDER BY identifier, entity", [], ProgramGrant.init)
  }

  private static let programReplacement = replacement(
    in: "program", key: ["identifier", "entity"],
    values: [
      "name", "tier", "purpose", "grantedAt", "grantedBy", "calendar", "refusesMore",
    ])

  /// Stores a grant, replacing an earlier one for the same program and kind of items.
  public func store(_ grant: ProgramGrant) throws {
    let earlier = try self.grant(toProgram: grant.program, for: grant.entity)
    try db.execute(
      Self.programReplacement,
      [
        grant.program.utf8.blob, grant.entity.rawValue, grant.name.utf8.blob, grant.tier.rawValue,
        grant.purpose.utf8.blob, grant.grantedAt.secondsSinceEpoch, grant.grantedBy,
        grant.calendar?.utf8.blob, grant.refusesMore,
      ])
    // A refusal to raise the tier keeps the grant and its time.
    guard earlier?.tier != grant.tier || earlier?.grantedAt != grant.grantedAt else { return }
    try add(
      AccessDecision(
        about: .program(grant.program, grant.entity), tier: grant.tier, purpose: grant.purpose,
        at: grant.grantedAt, by: grant.grantedBy))
  }

  /// Revokes the grant of a program, so that the user has to decide again.
  ///
  /// - Parameters:
  ///   - identifier: The program.
  ///   - entity: The kind of items.
  ///   - time: The time of the revocation.
  ///   - user: The name of the user's account on this machine.
  /// - Returns: Whether there was a grant.
  /// - Throws: An error of the database.
  @discardableResult
  public func revoke(
    program identifier: String, for entity: ProgramEntity, at time: Instant, by user: String
  ) throws -> Bool {
    let count = try db.execute(
      "DELETE FROM program WHERE identifier = ? AND entity = ?",
      [identifier.utf8.blob, entity.rawValue])
    guard count > 0 else { return false }
    try add(.revocation(of: .program(identifier, entity), at: time, by: user))
    return true
  }

  // MARK: Log

  /// Adds uses to the counts of their class and grant.
  public func log(_ entries: [ProgramLogEntry]) throws {
    for entry in entries {
      try db.execute(
        """
        INSERT INTO programUse
          (identifier, entity, tier, grantedAt, use, count, firstAt, lastAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (identifier, entity, tier, grantedAt, use) DO UPDATE SET
          count = programUse.count + excluded.count,
          firstAt = CASE WHEN programUse.firstAt < excluded.firstAt THEN programUse.firstAt
            ELSE excluded.firstAt END,
          lastAt = CASE WHEN programUse.lastAt > excluded.lastAt THEN programUse.lastAt
            ELSE excluded.lastAt END
        """,
        [
          entry.program.utf8.blob, entry.entity.rawValue, entry.tier.rawValue,
          entry.grantedAt.secondsSinceEpoch, entry.use.rawValue, entry.count,
          entry.firstAt.secondsSinceEpoch, entry.lastAt.secondsSinceEpoch,
        ])
    }
  }

  /// Returns the logged uses of all programs, in order of program, grant and class.
  public func programLog() throws -> [ProgramLogEntry] {
    try db.all(
      "SELECT * FROM programUse ORDER BY identifier, entity, grantedAt, tier, use", [],
      ProgramLogEntry.init)
  }
}

extension ProgramGrant {
  fileprivate init(_ row: LedgerRow) throws {
    self.init(
      program: try row.identifier("identifier"), name: try row.identifier("name"),
      entity: try row.choice("entity"), tier: try row.choice("tier"),
      purpose: try row.identifier("purpose"),
      grantedAt: Instant(secondsSinceEpoch: try row.value("grantedAt")),
      grantedBy: try row.value("grantedBy"),
      calendar: try row.bytes("calendar").map { String(decoding: $0, as: UTF8.self) },
      refusesMore: try row.value("refusesMore"))
  }
}

extension ProgramLogEntry {
  fileprivate init(_ row: LedgerRow) throws {
    self.init(
      program: try row.identifier("identifier"), entity: try row.choice("entity"),
      tier: try row.choice("tier"),
      grantedAt: Instant(secondsSinceEpoch: try row.value("grantedAt")),
      use: try row.choice("use"), count: try row.value("count"),
      firstAt: Instant(secondsSinceEpoch: try row.value("firstAt")),
      lastAt: Instant(secondsSinceEpoch: try row.value("lastAt")))
  }
}

extension LedgerRow {
  /// Decodes a column that holds one of the known words.
  func choice<Value: RawRepresentable<String>>(_ column: String) throws -> Value {
    let word: String = try value(column)
    guard let value = Value(rawValue: word) else {
      throw LedgerFault.corrupt("a row of the ledger has the unknown \(column) '\(word)'")
    }
    return value
  }
}
