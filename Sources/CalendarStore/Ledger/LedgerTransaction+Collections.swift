// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// The calendars of accounts.
extension LedgerTransaction {
  /// Returns the calendars that were on both sides of an account; empty for another binding.
  package func collections(of account: AccountBinding) throws -> [KnownCollection] {
    guard let remote = try id(of: account.remote) else { return [] }
    return try db.all(
      """
      SELECT * FROM collection WHERE account = ? AND local = ? AND remote = ? ORDER BY name
      """, [account.name, account.local, remote], KnownCollection.init)
  }

  private static let collectionReplacement = replacement(
    in: "collection", key: ["account", "name"],
    values: ["local", "remote", "folder", "location", "components", "isGone"])

  /// Stores a calendar, and drops those of another binding of the same account.
  ///
  /// If its sync starts over, what the sides agreed on is deleted in the same transaction.
  package func store(
    _ collection: KnownCollection, of account: AccountBinding, startingOver isNew: Bool
  ) throws {
    let remote = try makeID(of: account.remote)
    try db.execute(
      "DELETE FROM collection WHERE account = ? AND (local <> ? OR remote <> ?)",
      [account.name, account.local, remote])
    try db.execute(
      Self.collectionReplacement,
      [
        account.name, collection.id.rawValue.utf8.blob, account.local, remote,
        collection.folder.utf8.blob, collection.location.utf8.blob,
        collection.components?.sorted().joined(separator: ","), collection.isGone,
      ])
    let sync = try db.integer(
      "SELECT id FROM sync WHERE name = ?", [account.sync(of: collection.folder)])
    if isNew, let sync { try clear(sync) }
  }

  /// Drops a calendar.
  package func forget(_ collection: CollectionID, of account: AccountBinding) throws {
    try db.execute(
      "DELETE FROM collection WHERE account = ? AND name = ?",
      [account.name, collection.rawValue.utf8.blob])
  }
}

extension KnownCollection {
  init(_ row: LedgerRow) throws {
    let folder = try row.identifier("folder")
    guard let id = CollectionID(folder: folder) else {
      throw LedgerFault.corrupt("the folder '\(folder)' cannot be a calendar")
    }
    let components: String? = try row.optional("components")
    self.init(
      id, folder: folder, location: try row.identifier("location"),
      components: components.map { Set($0.split(separator: ",").map(String.init)) },
      isGone: try row.value("isGone"))
  }
}

extension LedgerDatabase: AccountLedger {
  /// Returns the calendars that were on both sides of an account; empty for another binding.
  package func collections(of account: AccountBinding) async throws -> [KnownCollection] {
    try await read { try $0.collections(of: account) }
  }

  /// Stores a calendar, and drops those of another binding of the same account.
  package func store(
    _ collection: KnownCollection, of account: AccountBinding, startingOver isNew: Bool
  ) async throws {
    try await write { try $0.store(collection, of: account, startingOver: isNew) }
  }

  /// Drops a calendar.
  package func forget(_ collection: CollectionID, of account: AccountBinding) async throws {
    try await write { try $0.forget(collection, of: account) }
  }
}
