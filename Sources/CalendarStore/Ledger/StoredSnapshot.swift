// SPDX-License-Identifier: Apache-2.0

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
  init(of sync: Int64, withCursor: Bool, in db: any LedgerConnection) throws {
    let size = try db.integer("SELECT length(content) FROM snapshot WHERE sync = ?", [sync])
    guard let length = size.map({ Int($0) }) else { return }
    let head = try db.snapshot(of: sync, in: 0..<min(length, Self.headLength))
    guard head.count == Self.headLength, head[0] == Self.mark else { return }
    let stored = head.dropFirst().reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    var place = Self.headLength
    if stored != .max {
      guard stored <= UInt64(length - place) else {
        throw LedgerFault.corrupt("a snapshot is shorter than its length")
      }
      snapshot = try db.snapshot(of: sync, in: place..<place + Int(stored))
      place += Int(stored)
    }
    if withCursor { cursor = try db.snapshot(of: sync, in: place..<length) }
  }

  // MARK: Writing

  /// Stores the values of a sync.
  func store(as sync: Int64, in db: any LedgerConnection) throws {
    guard snapshot != nil || cursor != nil else {
      try db.execute("DELETE FROM snapshot WHERE sync = ?", [sync])
      return
    }
    let length = snapshot.map { UInt64($0.count) } ?? .max
    let head = [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    try db.store(snapshot: [head, snapshot ?? [], cursor ?? []], of: sync)
  }
}
