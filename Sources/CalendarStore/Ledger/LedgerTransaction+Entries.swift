// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import CivilTime
import GRDB

/// The agreed states of syncs, and the items on which the sides do not agree.
extension LedgerTransaction {
  /// Returns the entries of a sync, in order of UID; empty for another binding.
  public func entries(of binding: SyncBinding) throws -> [LedgerEntry] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM entry WHERE sync = ? ORDER BY uid", arguments: [sync]
    ).map(LedgerEntry.init).array()
  }

  /// Returns the entries of a sync without their contents, unsorted; empty for another binding.
  public func places(of binding: SyncBinding) throws -> [LedgerSummary] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT \(LedgerSummary.columns) FROM entry WHERE sync = ?", arguments: [sync]
    ).map(LedgerSummary.init).array()
  }

  /// Returns the entries of some items without their contents, and the total number of entries.
  ///
  /// Further items are given by their hrefs, in any spelling.
  public func places(
    of binding: SyncBinding, for uids: Set<UID>, at hrefs: [Href] = []
  ) throws -> (places: [LedgerSummary], count: Int) {
    guard let sync = try sync(boundTo: binding) else { return ([], 0) }
    let selection = "SELECT \(LedgerSummary.columns) FROM entry WHERE sync = ?"
    let named = try db.cachedStatement(sql: "\(selection) AND uid = ?")
    var places = try uids.compactMap { uid in
      try Row.fetchOne(named, arguments: [sync, uid.blob]).map(LedgerSummary.init)
    }
    let located = try db.cachedStatement(sql: "\(selection) AND hrefKey = ?")
    var seen = uids
    for key in Set(hrefs.map(\.comparisonKey)) {
      places += try Row.fetchCursor(located, arguments: [sync, key.blob])
        .map(LedgerSummary.init).array().filter { seen.insert($0.uid).inserted }
    }
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM entry WHERE sync = ?", arguments: [sync])
    return (places, count ?? 0)
  }

  /// Returns the entries of some items with all contents, in order of UID.
  public func entries(of binding: SyncBinding, for uids: [UID]) throws -> [LedgerEntry] {
    guard !uids.isEmpty, let sync = try sync(boundTo: binding) else { return [] }
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM entry WHERE sync = ? AND uid = ?")
    return try uids.inOrder().compactMap { uid in
      try Row.fetchOne(statement, arguments: [sync, uid.blob]).map(LedgerEntry.init)
    }
  }

  /// Returns the names and the local calendars of all syncs with remotes of a kind, also of earlier runs.
  ///
  /// - Parameter kind: The kind of the remote, such as `mirror`.
  /// - Returns: Each pair once, in order of the names.
  /// - Throws: `StoreError`.
  package func places(ofKind kind: String) throws -> [(name: String, local: String)] {
    try Row.fetchCursor(
      db,
      sql: """
        SELECT remote.location AS name, place.local
        FROM (SELECT local, remote FROM sync UNION SELECT local, remote FROM run) AS place
        JOIN remote ON remote.id = place.remote
        WHERE remote.kind = ? ORDER BY name, place.local
        """, arguments: [kind]
    ).map { (name: $0["name"], local: $0["local"]) }.array()
  }

  /// Returns the names by which syncs know items in a folder, on either side.
  ///
  /// - Parameters:
  ///   - uids: The UIDs of the items.
  ///   - location: The path of the folder, in canonical form.
  /// - Returns: The names by UID; an item that no sync knows has none.
  /// - Throws: An error of the database.
  public func names(of uids: Set<UID>, in location: String) throws -> [UID: Set<String>] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT entry.localName AS name FROM entry JOIN sync ON sync.id = entry.sync
        WHERE sync.local = ?1 AND entry.uid = ?2
        UNION
        SELECT entry.href FROM entry JOIN sync ON sync.id = entry.sync
        JOIN remote ON remote.id = sync.remote
        WHERE remote.kind = 'folder' AND remote.location = ?1 AND entry.uid = ?2
        """)
    var names: [UID: Set<String>] = [:]
    for uid in uids {
      let found = try Row.fetchCursor(statement, arguments: [location, uid.blob])
        .map { try $0.identifier("name") }.array()
      if !found.isEmpty { names[uid] = Set(found) }
    }
    return names
  }

  /// Returns the conflicts that need a decision, in order of UID.
  public func conflicts(of binding: SyncBinding) throws -> [StoredConflict] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM conflict WHERE sync = ? ORDER BY uid", arguments: [sync]
    ).map(StoredConflict.init).array()
  }

  /// Returns all events that were added to a remote under write-only access, in order of UID.
  public func appended(to remote: RemoteIdentity) throws -> [AppendRecord] {
    guard let id = try id(of: remote) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM append WHERE remote = ? ORDER BY uid", arguments: [id]
    ).map(AppendRecord.init).array()
  }

  // MARK: Quarantine

  /// Returns the quarantined items of a sync, in order of UID.
  public func quarantine(of binding: SyncBinding) throws -> [QuarantinedItem] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try Row.fetchCursor(
      db, sql: "SELECT * FROM quarantine WHERE sync = ? ORDER BY uid", arguments: [sync]
    ).map { row in
      QuarantinedItem(
        uid: UID(try row.identifier("uid")), title: try row.value("title"),
        reason: try ItemObstacle(stored: try row.value("reason")),
        content: try row.optional("content").map(Fingerprint.init),
        failures: try row.value("failures"),
        since: Instant(secondsSinceEpoch: try row.value("since")),
        nextTry: try row.optional("nextTry").map(Instant.init(secondsSinceEpoch:)))
    }.array()
  }

  /// Stores the quarantined items of a sync, replacing the previous ones.
  public func store(_ items: [QuarantinedItem], in run: RunID) throws {
    let sync = try owners(of: run).sync
    try db.execute(sql: "DELETE FROM quarantine WHERE sync = ?", arguments: [sync])
    for item in items {
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO quarantine
            (sync, uid, title, reason, content, failures, since, nextTry)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        sync, item.uid.blob, item.title, try item.reason.stored, item.content?.rawValue,
        item.failures,
        item.since.secondsSinceEpoch, item.nextTry?.secondsSinceEpoch,
      ])
    }
  }

  // MARK: Filters

  /// Returns the items that the filter of a sync leaves on their side, unsorted.
  public func outside(of binding: SyncBinding) throws -> [OutsideItem] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try outside(of: sync)
  }

  /// Stores the items that the filter leaves on their side, replacing the previous ones.
  public func store(outside items: [OutsideItem], in run: RunID) throws {
    let sync = try owners(of: run).sync
    // There may be many, and most are usually unchanged.
    let known = Set(try outside(of: sync))
    let wanted = Set(items)
    for item in known.subtracting(wanted) {
      try db.cachedStatement(
        sql: "DELETE FROM outside WHERE sync = ? AND side = ? AND place = ?"
      ).execute(arguments: [sync, item.side.rawValue, item.place.utf8.blob])
    }
    for item in wanted.subtracting(known) {
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO outside (sync, side, place, uid, version, until)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        sync, item.side.rawValue, item.place.utf8.blob, item.uid.blob, item.version,
        item.until?.secondsSinceEpoch,
      ])
    }
  }

  private func outside(of sync: Int64) throws -> [OutsideItem] {
    try Row.fetchCursor(
      db, sql: "SELECT side, place, uid, version, until FROM outside WHERE sync = ?",
      arguments: [sync]
    ).compactMap { row in
      let word: String = try row.value("side")
      return try MergeSide(rawValue: word).map { side in
        OutsideItem(
          side: side, uid: UID(try row.identifier("uid")), place: try row.identifier("place"),
          version: try row.value("version"),
          until: try row.optional("until").map(Instant.init(secondsSinceEpoch:)))
      }
    }.array()
  }
}
