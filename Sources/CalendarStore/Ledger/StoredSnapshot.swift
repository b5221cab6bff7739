// SPDX-License-Identifier: Apache-2.0

import GRDB

// The format of `snapshot.content`:
//
//     1 byte    0xFE
//     8 bytes   length of the local snapshot, little-endian; all ones if there is none
//     the local snapshot
//     the cursor of the remote, if it is long
//
// Other content counts as no snapshot.

/// The large values of a checkpoint: the snapshots of the local calendar and of a remote folder.
///
/// SQLite writes a whole row if one of its values changes, and each run with changes updates the
/// checkpoint several times. Therefore `checkpoint.cursor` contains a mark in place of a long
/// cursor.
struct StoredSnapshot {
  /// The value of `checkpoint.cursor` for a cursor that is stored here.
  static let cursorMark: [UInt8] = [0]
  /// The maximum length of a cursor in `checkpoint.cursor`, in bytes.
  private static let shortLength = 4096

  private static let mark: UInt8 = 0xFE
  private static let headLength = 9

  /// The snapshot of the local calendar.
  private(set) var snapshot: [UInt8]?
  /// The cursor of the remote, if it is long.
  private(set) var cursor: [UInt8]?

  init(snapshot: [UInt8]?, cursor: [UInt8]?) {
    (self.snapshot, self.cursor) = (snapshot, cursor)
  }

  /// Whether a cursor is stored here, because it is long or resembles the mark.
  static func isLong(_ cursor: [UInt8]) -> Bool {
    cursor.count > shortLength || cursor == cursorMark
  }

  // MARK: Reading

  /// Reads the values of a sync.
  ///
  /// - Parameters:
  ///   - sync: The row ID of the sync.
  ///   - withCursor: Whether the cursor is valid. Later changes can invalidate it without a write
  ///     to this row.
  ///   - db: The database.
  /// - Throws: An error of the database.
  init(of sync: Int64, withCursor: Bool, in db: Database) throws {
    guard let length = try Self.length(of: sync, in: db) else { return }
    let content = try Self.open(sync, for: .reading, in: db)
    let head = try content.read(0..<min(length, Self.headLength))
    guard head.count == Self.headLength, head[0] == Self.mark else { return }
    let stored = head.dropFirst().reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    var place = Self.headLength
    if stored != .max {
      guard stored <= UInt64(length - place) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "a snapshot is shorter than its length")
      }
      snapshot = try content.read(place..<place + Int(stored))
      place += Int(stored)
    }
    if withCursor { cursor = try content.read(place..<length) }
  }

  private static func length(of sync: Int64, in db: Database) throws -> Int? {
    try Int.fetchOne(
      db, sql: "SELECT length(content) FROM snapshot WHERE sync = ?", arguments: [sync])
  }

  private static func open(
    _ sync: Int64, for access: StoredBytes.Access, in db: Database
  ) throws -> StoredBytes {
    try StoredBytes("content", of: "snapshot", row: sync, for: access, in: db)
  }

  // MARK: Writing

  /// Stores the values of a sync, and writes only what has changed if the lengths are the same.
  func store(as sync: Int64, in db: Database) throws {
    guard snapshot != nil || cursor != nil else {
      return try db.execute(sql: "DELETE FROM snapshot WHERE sync = ?", arguments: [sync])
    }
    let length = snapshot.map { UInt64($0.count) } ?? .max
    let head = [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    let parts = [head, snapshot ?? [], cursor ?? []]
    let total = parts.reduce(0) { $0 + $1.count }
    let isReplaced = try Self.length(of: sync, in: db) != total
    if isReplaced {
      try db.execute(
        sql: "INSERT OR REPLACE INTO snapshot (sync, content) VALUES (?, zeroblob(?))",
        arguments: [sync, total])
    }
    let content = try Self.open(sync, for: .writing, in: db)
    var place = 0
    for part in parts {
      if isReplaced {
        try content.write(part, at: place)
      } else {
        try content.update(part, at: place)
      }
      place += part.count
    }
  }
}
