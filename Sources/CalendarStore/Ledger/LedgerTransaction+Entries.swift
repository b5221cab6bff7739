// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import CivilTime

/// The agreed states of syncs, and the items on which the sides do not agree.
extension LedgerTransaction {
  /// Returns the entries of a sync, in order of UID; empty for another binding.
  public func entries(of binding: SyncBinding) throws -> [LedgerEntry] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all("SELECT * FROM entry WHERE sync = ? ORDER BY uid", [sync], LedgerEntry.init)
  }

  /// Returns the entries of a sync without their contents, unsorted; empty for another binding.
  public func places(of binding: SyncBinding) throws -> [LedgerSummary] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all(
      "SELECT \(LedgerSummary.columns) FROM entry WHERE sync = ?", [sync], LedgerSummary.init)
  }

  /// Returns the entries of some items without their contents, and the total number of entries.
  ///
  /// Further items are given by their hrefs, in any spelling.
  public func places(
    of binding: SyncBinding, for uids: Set<UID>, at hrefs: [Href] = []
  ) throws -> (places: [LedgerSummary], count: Int) {
    guard let sync = try sync(boundTo: binding) else { return ([], 0) }
    let selection = "SELECT \(LedgerSummary.columns) FROM entry WHERE sync = ?"
    let named = "\(selection) AND uid = ?"
    var places = try uids.compactMap { uid in
      try db.first(named, [sync, uid.blob], LedgerSummary.init)
    }
    let located = "\(selection) AND hrefKey = ?"
    var seen = uids
    for key in Set(hrefs.map(\.comparisonKey)) {
      places += try db.all(located, [sync, key.blob], LedgerSummary.init)
        .filter { seen.insert($0.uid).inserted }
    }
    let count = try db.integer("SELECT count(*) FROM entry WHERE sync = ?", [sync])
    return (places, Int(count ?? 0))
  }

  /// Returns the entries of some items with all contents, in order of UID.
  public func entries(of binding: SyncBinding, for uids: [UID]) throws -> [LedgerEntry] {
    guard !uids.isEmpty, let sync = try sync(boundTo: binding) else { return [] }
    return try uids.inOrder().compactMap { uid in
      try db.first(
        "SELECT * FROM entry WHERE sync = ? AND uid = ?", [sync, uid.blob], LedgerEntry.init)
    }
  }

  /// Returns the names and the local calendars of all syncs with remotes of a kind, also of earlier runs.
  ///
  /// - Parameter kind: The kind of the remote, such as `mirror`.
  /// - Returns: Each pair once, in order of the names.
  /// - Throws: `StoreError`.
  package func places(ofKind kind: String) throws -> [(name: String, local: String)] {
    try db.all(
      """
      SELECT remote.location AS name, place.local
      FROM (SELECT local, remote FROM sync UNION SELECT local, remote FROM run) AS place
      JOIN remote ON remote.id = place.remote
      WHERE remote.kind = ? ORDER BY name, place.local
      """, [kind]
    ) { (name: try $0.value("name"), local: try $0.value("local")) }
  }

  /// Returns the names by which syncs know items in a folder, on either side.
  ///
  /// - Parameters:
  ///   - uids: The UIDs of the items.
  ///   - location: The path of the folder, in canonical form.
  /// - Returns: The names by UID; an item that no sync knows has none.
  /// - Throws: An error of the database.
  public func names(of uids: Set<UID>, in location: String) throws -> [UID: Set<String>] {
    let query = """
      SELECT entry.localName AS name FROM entry JOIN sync ON sync.id = entry.sync
      WHERE sync.local = ?1 AND entry.uid = ?2
      UNION
      SELECT entry.href FROM entry JOIN sync ON sync.id = entry.sync
      JOIN remote ON remote.id = sync.remote
      WHERE remote.kind = 'folder' AND remote.location = ?1 AND entry.uid = ?2
      """
    var names: [UID: Set<String>] = [:]
    for uid in uids {
      let found = try db.all(query, [location, uid.blob]) { try $0.text(0) }
      if !found.isEmpty { names[uid] = Set(found) }
    }
    return names
  }

  /// Returns the conflicts that need a decision, in order of UID.
  public func conflicts(of binding: SyncBinding) throws -> [StoredConflict] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all(
      "SELECT * FROM conflict WHERE sync = ? ORDER BY uid", [sync], StoredConflict.init)
  }

  /// Returns all events that were added to a remote under write-only access, in order of UID.
  public func appended(to remote: RemoteIdentity) throws -> [AppendRecord] {
    guard let id = try id(of: remote) else { return [] }
    return try db.all("SELECT * FROM append WHERE remote = ? ORDER BY uid", [id], AppendRecord.init)
  }

  // MARK: Quarantine

  /// Returns the quarantined items of a sync, in order of UID.
  public func quarantine(of binding: SyncBinding) throws -> [QuarantinedItem] {
    guard let sync = try sync(boundTo: binding) else { return [] }
    return try db.all("SELECT * FROM quarantine WHERE sync = ? ORDER BY uid", [sync]) { row in
      QuarantinedItem(
        uid: UID(try row.identifier("uid")), title: try row.value("title"),
        reason: try ItemObstacle(stored: try row.value("reason")),
        content: try row.optional("content").map(Fingerprint.init),
        failures: try row.value("failures"),
        since: Instant(secondsSinceEpoch: try row.value("since")),
        nextTry: try row.optional("nextTry").map(Instant.init(secondsSinceEpoch:)))
    }
  }

  private static let quarantineReplacement = replacement(
    in: "quarantine", key: ["sync", "uid"],
    values: ["title", "reason", "content", "failures", "since", "nextTry"])

  /// Stores the quarantined items of a sync, replacing the previous ones.
  public func store(_ items: [QuarantinedItem], in run: RunID) throws {
    let sync = try owners(of: run).sync
    try db.execute("DELETE FROM quarantine WHERE sync = ?", [sync])
    for item in items {
      try db.execute(
        Self.quarantineReplacement,
        [
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

  private static let outsideReplacement = replacement(
    in: "outside", key: ["sync", "side", "place"], values: ["uid", "version", "until"])

  /// Stores the items that the filter leaves on their side, replacing the previous ones.
  public func store(outside items: [OutsideItem], in run: RunID) throws {
    let sync = try owners(of: run).sync
    // There may be many, and most are usually unchanged.
    let known = Set(try outside(of: sync))
    let wanted = Set(items)
    for item in known.subtracting(wanted) {
      try db.execute(
        "DELETE FROM outside WHERE sync = ? AND side = ? AND place = ?",
        [sync, item.side.rawValue, item.place.utf8.blob])
    }
    for item in wanted.subtracting(known) {
      try db.execute(
        Self.outsideReplacement,
        [
          sync, item.side.rawValue, item.place.utf8.blob, item.uid.blob, item.version,
          item.until?.secondsSinceEpoch,
        ])
    }
  }

  private func outside(of sync: Int64) throws -> [OutsideItem] {
    try db.all("SELECT side, place, uid, version, until FROM outside WHERE sync = ?", [sync]) {
      row in
      let word: String = try row.value("side")
      return try MergeSide(rawValue: word).map { side in
        OutsideItem(
          side: side, uid: UID(try row.identifier("uid")), place: try row.identifier("place"),
          version: try row.value("version"),
          until: try row.optional("until").map(Instant.init(secondsSinceEpoch:)))
      }
    }.compactMap(\.self)
  }
}
