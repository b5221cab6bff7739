// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

// The format: a line with the name of the format, the folder and the normal form, then one record
// per file, sorted bytewise by name. Numbers are little-endian.
//
//     2 bytes   length of the name          name
//     32 bytes  size, modified, changed (nanoseconds since 1970), file number
//     2 bytes   length of the UID           UID
//     1 byte    length of the revision      revision
//     1 byte    length of the fingerprint   fingerprint
//
// A file whose name or UID exceeds its length field has no record, and is read each time. Other
// bytes are not a snapshot.

/// A reader of the records in a folder's snapshot, from front to back.
struct FolderSnapshot: Sendable {
  /// The ranges of the fields of a record.
  struct Entry: Sendable {
    let start: Int
    let name: Range<Int>
    let stamp: FileStamp
    let uid: Range<Int>
    let revision: Range<Int>
    let fingerprint: Range<Int>
    let end: Int
  }

  /// The snapshot, or nil if it does not have this format.
  let snapshot: LocalSnapshot?
  /// The current record, or nil at the end.
  private(set) var current: Entry?
  private let bytes: [UInt8]
  private let first: Int

  /// Begins with the first record; anything that is no snapshot of this form has none.
  init(_ snapshot: LocalSnapshot?, form: NormalForm, of identity: FolderIdentity) {
    let title = Self.title(form, identity)
    if let snapshot, snapshot.bytes.starts(with: title) {
      self.snapshot = snapshot
      bytes = snapshot.bytes
    } else {
      self.snapshot = nil
      bytes = []
    }
    first = title.count
    current = entry(at: first)
  }

  private static let heading = "epact folder 1 "

  private static func title(_ form: NormalForm, _ identity: FolderIdentity) -> [UInt8] {
    Array("\(heading)\(identity.text) \(form.cacheKey)\n".utf8)
  }

  /// Whether a snapshot is of a folder, in any normal form; true for bytes of other formats.
  static func isOf(_ identity: FolderIdentity, _ snapshot: LocalSnapshot) -> Bool {
    guard snapshot.bytes.starts(with: heading.utf8) else { return true }
    return snapshot.bytes.dropFirst(heading.utf8.count).starts(with: "\(identity.text) ".utf8)
  }

  // MARK: Reading

  /// Skips the records before a name, or all records for nil, and returns them.
  mutating func skip(to name: String?) -> [Entry] {
    var skipped: [Entry] = []
    while let entry = current {
      if let name, !bytes[entry.name].lexicographicallyPrecedes(name.utf8) { break }
      skipped.append(entry)
      advance()
    }
    return skipped
  }

  /// Skips the current record.
  mutating func advance() {
    current = current.flatMap { entry(at: $0.end) }
  }

  /// Whether the current record has a name.
  func isCurrent(_ name: String) -> Bool {
    current.map { bytes[$0.name].elementsEqual(name.utf8) } ?? false
  }

  /// The record that starts at an offset, or nil if there is none.
  func entry(at start: Int) -> Entry? {
    var place = start
    guard let name = part(&place, width: 2), let stamp = stamp(&place),
      let uid = part(&place, width: 2), let revision = part(&place, width: 1),
      let fingerprint = part(&place, width: 1)
    else { return nil }
    return Entry(
      start: start, name: name, stamp: stamp, uid: uid, revision: revision,
      fingerprint: fingerprint, end: place)
  }

  private func number(_ place: inout Int, width: Int) -> UInt64? {
    guard place + width <= bytes.count else { return nil }
    var result: UInt64 = 0
    for index in 0..<width { result |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    place += width
    return result
  }

  private func part(_ place: inout Int, width: Int) -> Range<Int>? {
    guard let count = number(&place, width: width).map(Int.init), place + count <= bytes.count
    else { return nil }
    defer { place += count }
    return place..<place + count
  }

  private func stamp(_ place: inout Int) -> FileStamp? {
    guard let size = number(&place, width: 8), let modifiedAt = number(&place, width: 8),
      let changedAt = number(&place, width: 8), let number = number(&place, width: 8)
    else { return nil }
    return FileStamp(size: size, modifiedAt: modifiedAt, changedAt: changedAt, number: number)
  }

  /// Converts a record to the engine's type.
  func record(_ entry: Entry) -> LocalRecord {
    LocalRecord(
      name: text(entry.name), revision: Revision(text(entry.revision)),
      uid: UID(text(entry.uid)),
      fingerprint: Fingerprint(text(entry.fingerprint)))
  }

  /// The UID of a record.
  func uid(_ entry: Entry) -> UID { UID(text(entry.uid)) }

  /// Whether a record has one of the UIDs, which are given as bytes.
  func isOf(_ uids: Set<ArraySlice<UInt8>>, _ entry: Entry) -> Bool {
    uids.contains(bytes[entry.uid])
  }

  /// Returns all records.
  func records() -> [LocalRecord] {
    var records: [LocalRecord] = []
    var next = entry(at: first)
    while let entry = next {
      records.append(record(entry))
      next = self.entry(at: entry.end)
    }
    return records
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension FolderSnapshot {
  /// Writes the bytes of a snapshot.
  struct Writer {
    private var bytes: [UInt8]

    /// Begins with nothing, with room for about as much as there was.
    init(form: NormalForm, of identity: FolderIdentity, after other: FolderSnapshot? = nil) {
      bytes = FolderSnapshot.title(form, identity)
      if let other { bytes.reserveCapacity(other.bytes.count + other.bytes.count / 16) }
    }

    /// The snapshot without spare capacity, because it is kept for the whole run.
    var snapshot: LocalSnapshot {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      return LocalSnapshot(exact)
    }

    /// Appends a record of another snapshot; records must be in order of their names.
    mutating func append(_ entry: Entry, of other: FolderSnapshot) {
      bytes += other.bytes[entry.start..<entry.end]
    }

    /// Appends a record; records must be in order of their names.
    mutating func append(_ record: LocalRecord, _ stamp: FileStamp) {
      let name = record.name.utf8
      let uid = record.uid.rawValue.utf8
      let revision = record.revision.rawValue.utf8
      let fingerprint = record.fingerprint.rawValue.utf8
      guard name.count <= UInt16.max, uid.count <= UInt16.max, revision.count <= UInt8.max,
        fingerprint.count <= UInt8.max
      else { return }
      append(UInt64(name.count), width: 2)
      bytes += name
      for number in [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number] {
        append(number, width: 8)
      }
      append(UInt64(uid.count), width: 2)
      bytes += uid
      append(UInt64(revision.count), width: 1)
      bytes += revision
      append(UInt64(fingerprint.count), width: 1)
      bytes += fingerprint
    }

    private mutating func append(_ number: UInt64, width: Int) {
      for index in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
      }
    }
  }
}
