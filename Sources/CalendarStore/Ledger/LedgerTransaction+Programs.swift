// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import CivilTime
import GRDB

/// The decisions of the user about programs, and the log of their uses.
extension LedgerTransaction {
  /// Returns the grant of a program for a kind of items, or nil if the user has not decided.
  public func grant(
    toProgram identifier: String, for entity: ProgramEntity
  ) throws -> ProgramGrant? {
    try Row.fetchOne(
      db, sql: "SELECT * FROM program WHERE identifier = ? AND entity = ?",
      arguments: [identifier.utf8.blob, entity.rawValue]
    ).map(ProgramGrant.init)
  }

  /// Returns the grants of all programs, in order of identifier and kind of items.
  public func programGrants() throws -> [ProgramGrant] {
    try Row.fetchCursor(db, sql: "SELECT * FROM program ORDER BY identifier, entity")
      .map(ProgramGrant.init).array()
  }

  /// Stores a grant, replacing an earlier one for the same program and kind of items.
  public func store(_ grant: ProgramGrant) throws {
    let earlier = try self.grant(toProgram: grant.program, for: grant.entity)
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO program
          (identifier, entity, name, tier, purpose, grantedAt, grantedBy, calendar, refusesMore)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
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
    try db.execute(
      sql: "DELETE FROM program WHERE identifier = ? AND entity = ?",
      arguments: [identifier.utf8.blob, entity.rawValue])
    guard db.changesCount > 0 else { return false }
    try add(.revocation(of: .program(identifier, entity), at: time, by: user))
    return true
  }

  // MARK: Log

  /// Adds uses to the counts of their class and grant.
  public func log(_ entries: [ProgramLogEntry]) throws {
    for entry in entries {
      try db.execute(
        sql: """
          INSERT INTO programUse
            (identifier, entity, tier, grantedAt, use, count, firstAt, lastAt)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET
            count = count + excluded.count, firstAt = min(firstAt, excluded.firstAt),
            lastAt = max(lastAt, excluded.lastAt)
          """,
        arguments: [
          entry.program.utf8.blob, entry.entity.rawValue, entry.tier.rawValue,
          entry.grantedAt.secondsSinceEpoch, entry.use.rawValue, entry.count,
          entry.firstAt.secondsSinceEpoch, entry.lastAt.secondsSinceEpoch,
        ])
    }
  }

  /// Returns the logged uses of all programs, in order of program, grant and class.
  public func programLog() throws -> [ProgramLogEntry] {
    try Row.fetchCursor(
      db, sql: "SELECT * FROM programUse ORDER BY identifier, entity, grantedAt, tier, use"
    ).map(ProgramLogEntry.init).array()
  }
}

extension ProgramGrant {
  fileprivate init(_ row: Row) throws {
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
  fileprivate init(_ row: Row) throws {
    self.init(
      program: try row.identifier("identifier"), entity: try row.choice("entity"),
      tier: try row.choice("tier"),
      grantedAt: Instant(secondsSinceEpoch: try row.value("grantedAt")),
      use: try row.choice("use"), count: try row.value("count"),
      firstAt: Instant(secondsSinceEpoch: try row.value("firstAt")),
      lastAt: Instant(secondsSinceEpoch: try row.value("lastAt")))
  }
}

extension Row {
  /// Decodes a column that holds one of the known words.
  func choice<Value: RawRepresentable<String>>(_ column: String) throws -> Value {
    let word: String = try value(column)
    guard let value = Value(rawValue: word) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "a row of the ledger has the unknown \(column) '\(word)'")
    }
    return value
  }
}
