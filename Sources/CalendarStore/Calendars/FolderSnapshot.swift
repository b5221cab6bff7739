// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

// The format: a line that names it, the folder and the normal form, then one record a file, in the order
// of the bytes of their names. Numbers are little-endian.
//
//   2 bytes   length of the name          name
//   32 bytes  size, modified, changed (nanoseconds since 1970), number of the file
//   2 bytes   length of the UID           UID
//   1 byte    length of the revision      revision
//   1 byte    length of the fingerprint   fingerprint
//
// A file whose name or UID is too long for its length is left out, and is read each time. Bytes that
// are anything else than this are no snapshot.

/// What a folder was when it was last surveyed, read from front to back.
struct FolderSnapshot: Sendable {
  /// One record, by where its parts are.
  struct Entry: Sendable {
    let start: Int
    let name: Range<Int>
    let stamp: FileStamp
    let uid: Range<Int>
    let revision: Range<Int>
    let fingerprint: Range<Int>
    let end: Int
  }

  /// The bytes; nil if there are none of this form.
  let snapshot: LocalSnapshot?
  /// The record that is looked at; nil at the end.
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

  private static let heading = "epact folder 2 "

  private static func title(_ form: NormalForm, _ identity: FolderIdentity) -> [UInt8] {
    Array("\(heading)\(identity.text) \(form.cacheKey)\n".utf8)
  }

  /// Whether a snapshot is one of a folder, in whatever form; bytes of another format are one of any.
  static func isOf(_ identity: FolderIdentity, _ snapshot: LocalSnapshot) -> Bool {
    guard snapshot.bytes.starts(with: heading.utf8) else { return true }
    return snapshot.bytes.dropFirst(heading.utf8.count).starts(with: "\(identity.text) ".utf8)
  }

  // MARK: Reading

  /// Passes over what comes before a name, and tells what that was; nil is the end.
  mutating func skip(to name: String?) -> [Entry] {
    var skipped: [Entry] = []
    while let entry = current {
      if let name, !bytes[entry.name].lexicographicallyPrecedes(name.utf8) { break }
      skipped.append(entry)
      advance()
    }
    return skipped
  }

  /// Passes over the current record.
  mutating func advance() {
    current = current.flatMap { entry(at: $0.end) }
  }

  /// Whether the current record is that of a name.
  func isCurrent(_ name: String) -> Bool {
    current.map { bytes[$0.name].elementsEqual(name.utf8) } ?? false
  }

  /// The record that begins at a place, or nil if none does.
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

  /// A record as the engine takes it.
  func record(_ entry: Entry) -> LocalRecord {
    LocalRecord(
      name: text(entry.name), revision: Revision(text(entry.revision)),
      uid: UID(text(entry.uid)),
      fingerprint: Fingerprint(text(entry.fingerprint)))
  }

  /// The UID of a record.
  func uid(_ entry: Entry) -> UID { UID(text(entry.uid)) }

  /// Whether a record is of one of the UIDs, whose bytes are given.
  func isOf(_ uids: Set<ArraySlice<UInt8>>, _ entry: Entry) -> Bool {
    uids.contains(bytes[entry.uid])
  }

  /// All records from the first.
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
  /// Makes the bytes of a snapshot.
  struct Writer {
    private var bytes: [UInt8]

    /// Begins with nothing, with room for about as much as there was.
    init(form: NormalForm, of identity: FolderIdentity, after other: FolderSnapshot? = nil) {
      bytes = FolderSnapshot.title(form, identity)
      if let other { bytes.reserveCapacity(other.bytes.count + other.bytes.count / 16) }
    }

    /// The snapshot of all that was appended, without the room for more: it is kept for the whole run.
    var snapshot: LocalSnapshot {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      return LocalSnapshot(exact)
    }

    /// Appends a record as another snapshot has it; it has to come in the order of the names.
    mutating func append(_ entry: Entry, of other: FolderSnapshot) {
      bytes += other.bytes[entry.start..<entry.end]
    }

    /// Appends a record, which has to come in the order of the names.
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
