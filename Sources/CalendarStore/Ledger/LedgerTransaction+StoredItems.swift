// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// An item of a calendar without a folder.
struct StoredItem: Sendable {
  let uid: UID
  let revision: Revision
  let content: [UInt8]

  /// Takes a new version of an item.
  init(uid: UID, content: [UInt8]) {
    (self.uid, self.content) = (uid, content)
    revision = Revision(of: content)
  }

  fileprivate init(_ row: LedgerRow) throws {
    uid = UID(try row.identifier("uid"))
    revision = Revision(try row.value("revision"))
    content = try row.bytes("content") ?? []
  }
}

/// The items of calendars without a folder.
extension LedgerTransaction {
  private static let items = "storedItem"

  /// Returns the number of changes of a calendar; 0 for one that is not stored.
  func version(ofStoredCalendar calendar: String) throws -> Int64 {
    guard try db.hasTable(Self.items) else { return 0 }
    return try db.integer("SELECT version FROM storedCalendar WHERE name = ?", [calendar]) ?? 0
  }

  /// Counts a change of a calendar.
  func raiseVersion(ofStoredCalendar calendar: String) throws {
    try db.execute(
      """
      INSERT INTO storedCalendar (name, version) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET version = storedCalendar.version + 1
      """, [calendar])
  }

  /// Returns the UIDs of a calendar's items, each with its record if its fingerprint in a form is known.
  func storedRecords(
    of calendar: String, in form: String
  ) throws -> [(uid: UID, record: LocalRecord?)] {
    guard try db.hasTable(Self.items) else { return [] }
    return try db.all(
      "SELECT uid, revision, form, fingerprint FROM storedItem WHERE calendar = ? ORDER BY uid",
      [calendar]
    ) { row in
      let uid = UID(try row.identifier("uid"))
      guard try row.value("form") == form else { return (uid, nil) }
      let record = LocalRecord(
        name: uid.rawValue, revision: Revision(try row.value("revision")), uid: uid,
        fingerprint: Fingerprint(try row.value("fingerprint")))
      return (uid, record)
    }
  }

  /// Returns all items of a calendar, in order of their UIDs.
  func storedItems(of calendar: String) throws -> [StoredItem] {
    guard try db.hasTable(Self.items) else { return [] }
    return try db.all(
      "SELECT uid, revision, content FROM storedItem WHERE calendar = ? ORDER BY uid", [calendar],
      StoredItem.init)
  }

  /// Returns an item of a calendar; nil if there is none.
  func storedItem(_ uid: UID, of calendar: String) throws -> StoredItem? {
    guard try db.hasTable(Self.items) else { return nil }
    return try db.first(
      "SELECT uid, revision, content FROM storedItem WHERE calendar = ? AND uid = ?",
      [calendar, uid.rawValue.utf8.blob], StoredItem.init)
  }

  /// Adds an item to a calendar; returns false if it has one with the UID.
  func add(_ item: StoredItem, to calendar: String) throws -> Bool {
    try db.execute(
      """
      INSERT INTO storedItem (calendar, uid, revision, content, form, fingerprint)
      VALUES (?, ?, ?, ?, '', '') ON CONFLICT (calendar, uid) DO NOTHING
      """,
      [calendar, item.uid.rawValue.utf8.blob, item.revision.rawValue, item.content.blob]) > 0
  }

  /// Replaces an item that has a revision; returns false if it has another one, or is missing.
  func replace(
    _ item: StoredItem, from revision: Revision, of calendar: String
  ) throws -> Bool {
    try db.execute(
      """
      UPDATE storedItem SET revision = ?, content = ?, form = '', fingerprint = ''
      WHERE calendar = ? AND uid = ? AND revision = ?
      """,
      [
        item.revision.rawValue, item.content.blob, calendar, item.uid.rawValue.utf8.blob,
        revision.rawValue,
      ]) > 0
  }

  /// Removes an item that has a revision; returns false if it has another one, or is missing.
  func removeStoredItem(_ uid: UID, _ revision: Revision, of calendar: String) throws -> Bool {
    try db.execute(
      "DELETE FROM storedItem WHERE calendar = ? AND uid = ? AND revision = ?",
      [calendar, uid.rawValue.utf8.blob, revision.rawValue]) > 0
  }

  /// Stores the fingerprint of an item in a form, unless the item has changed since.
  func note(_ record: LocalRecord, in form: String, ofStoredCalendar calendar: String) throws {
    try db.execute(
      """
      UPDATE storedItem SET form = ?, fingerprint = ?
      WHERE calendar = ? AND uid = ? AND revision = ?
      """,
      [
        form, record.fingerprint.rawValue, calendar, record.uid.rawValue.utf8.blob,
        record.revision.rawValue,
      ])
  }
}
