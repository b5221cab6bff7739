// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

// The format: a line with the name of the format, the folder and the normal form, then one record
// per file, sorted bytewise by name. Numbers are little-endian.
//
//     2 bytes   length of the name          name
//     32 bytes  size, modified, changed (nanoseconds since 1970), file number
//     2 bytes   length of the UID           UID
//     a digest  revision
//     a digest  fingerprint
//
// A digest is a text that usually ends in the hexadecimal digits of 32 bytes, stored in half the
// space:
//
//     1 byte    length of the text before   text before
//     1 byte    length of the digest, 0 or 32       digest
//
// A file whose name, UID or digest exceeds its length field has no record, and is read each time.
// Other bytes are not a snapshot.

/// A reader of the records in a folder's snapshot, from front to back.
struct FolderSnapshot: Sendable {
  /// The ranges of the fields of a record.
  struct Entry: Sendable {
    let start: Int
    let name: Range<Int>
    let stamp: FileStamp
    let uid: Range<Int>
    let revision: Digest
    let fingerprint: Digest
    let end: Int
  }

  /// The ranges of a text that ends in hexadecimal digits.
  struct Digest: Sendable {
    /// The length of a digest in bytes.
    static let size = 32

    let text: Range<Int>
    let bytes: Range<Int>
  }

  /// The snapshot, or nil if it does not have this format.
  let snapshot: LocalSnapshot?
  /// The current record, or nil at the end.
  private(set) var current: Entry?
  let bytes: [UInt8]
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

  /// Begins with the first record of a snapshot in any normal form and of any folder.
  init?(_ snapshot: LocalSnapshot) {
    guard snapshot.bytes.starts(with: Self.heading.utf8),
      let end = snapshot.bytes.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    self.snapshot = snapshot
    bytes = snapshot.bytes
    first = end + 1
    current = entry(at: first)
  }

  private static let heading = "epact folder 2 "

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
  mutating func skip(to name: ArraySlice<UInt8>?) -> [Entry] {
    var skipped: [Entry] = []
    while let entry = current {
      if let name, !bytes[entry.name].isOrdered(before: name) { break }
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
  func isCurrent(_ name: ArraySlice<UInt8>) -> Bool {
    current.map { bytes[$0.name] == name } ?? false
  }

  /// The record that starts at an offset, or nil if there is none.
  func entry(at start: Int) -> Entry? {
    var place = start
    guard let name = part(&place, width: 2), let stamp = stamp(&place),
      let uid = part(&place, width: 2), let revision = digest(&place),
      let fingerprint = digest(&place)
    else { return nil }
    return Entry(
      start: start, name: name, stamp: stamp, uid: uid, revision: revision,
      fingerprint: fingerprint, end: place)
  }

  /// The records in a range that starts and ends between records.
  func entries(in range: Range<Int>) -> some Sequence<Entry> {
    sequence(state: range.lowerBound) { place in
      guard place < range.upperBound, let entry = entry(at: place) else { return nil }
      place = entry.end
      return entry
    }
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

  private func digest(_ place: inout Int) -> Digest? {
    guard let text = part(&place, width: 1), let bytes = part(&place, width: 1) else { return nil }
    return Digest(text: text, bytes: bytes)
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
      name: text(bytes[entry.name]), revision: Revision(text(entry.revision)),
      uid: uid(entry), fingerprint: Fingerprint(text(entry.fingerprint)))
  }

  /// The name of a record.
  func name(_ entry: Entry) -> String { text(bytes[entry.name]) }

  /// The UID of a record.
  func uid(_ entry: Entry) -> UID { UID(text(bytes[entry.uid])) }

  /// Whether a record has one of the UIDs, which are given as bytes.
  func isOf(_ uids: Set<ArraySlice<UInt8>>, _ entry: Entry) -> Bool {
    uids.contains(bytes[entry.uid])
  }

  /// Returns the records of some UIDs in a range that starts and ends between records.
  func records(of uids: Set<UID>, in range: Range<Int>) -> [LocalRecord] {
    let wanted = Set(uids.lazy.map { ArraySlice($0.rawValue.utf8) })
    return entries(in: range).filter { isOf(wanted, $0) }.map(record)
  }

  /// The range of all records.
  var whole: Range<Int> { min(first, bytes.count)..<bytes.count }

  /// Returns all records.
  func records() -> [LocalRecord] {
    entries(in: whole).map(record)
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func text(_ digest: Digest) -> String {
    var text = Array(bytes[digest.text])
    text.reserveCapacity(text.count + 2 * digest.bytes.count)
    for byte in bytes[digest.bytes] {
      text += [HexadecimalDigit.character(byte >> 4), HexadecimalDigit.character(byte & 15)]
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FolderSnapshot {
  /// Writes the bytes of a snapshot.
  struct Writer {
    private var bytes: [UInt8]

    /// Begins with nothing.
    ///
    /// - Parameters:
    ///   - form: The normal form of the fingerprints.
    ///   - identity: The folder.
    ///   - size: The expected size of the records in bytes. The snapshot is kept for the whole run,
    ///     and should have no spare capacity.
    init(form: NormalForm, of identity: FolderIdentity, size: Int) {
      bytes = FolderSnapshot.title(form, identity)
      bytes.reserveCapacity(bytes.count + size)
    }

    /// Begins with the title of another snapshot.
    init(like other: FolderSnapshot, size: Int) {
      bytes = Array(other.bytes[..<other.whole.lowerBound])
      bytes.reserveCapacity(bytes.count + size)
    }

    /// The snapshot.
    var snapshot: LocalSnapshot { LocalSnapshot(bytes) }

    /// Appends the records in a range of another snapshot; records must be in order of their names.
    mutating func append(_ range: Range<Int>, of other: FolderSnapshot) {
      bytes += other.bytes[range]
    }

    /// Appends a record of another snapshot with a stamp and a revision that no file has.
    mutating func appendDoubtful(_ entry: Entry, of other: FolderSnapshot) {
      let start = bytes.count
      append(entry.start..<entry.end, of: other)
      let stamp = entry.name.upperBound..<entry.uid.lowerBound - 2
      for index in stamp { bytes[start + index - entry.start] = .max }
      for range in [entry.revision.text, entry.revision.bytes] {
        for index in range { bytes[start + index - entry.start] = 0 }
      }
    }

    /// The size of a record in bytes, if it can be stored.
    static func size(of record: LocalRecord) -> Int {
      2 + record.name.utf8.count + 32 + 2 + record.uid.rawValue.utf8.count
        + PackedDigest(record.revision.rawValue).size
        + PackedDigest(record.fingerprint.rawValue).size
    }

    /// Appends a record; records must be in order of their names.
    mutating func append(_ record: LocalRecord, _ stamp: FileStamp) {
      let name = record.name.utf8
      let uid = record.uid.rawValue.utf8
      let revision = PackedDigest(record.revision.rawValue)
      let fingerprint = PackedDigest(record.fingerprint.rawValue)
      guard name.count <= UInt16.max, uid.count <= UInt16.max,
        revision.text.count <= UInt8.max, fingerprint.text.count <= UInt8.max
      else { return }
      append(UInt64(name.count), width: 2)
      bytes += name
      for number in [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number] {
        append(number, width: 8)
      }
      append(UInt64(uid.count), width: 2)
      bytes += uid
      append(revision)
      append(fingerprint)
    }

    private mutating func append(_ digest: PackedDigest) {
      append(UInt64(digest.text.count), width: 1)
      bytes += digest.text
      append(UInt64(digest.bytes.count), width: 1)
      bytes += digest.bytes
    }

    private mutating func append(_ number: UInt64, width: Int) {
      for index in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
      }
    }
  }
}

/// A text, and the bytes of the hexadecimal digits at its end if these are a digest.
private struct PackedDigest {
  let text: [UInt8]
  let bytes: [UInt8]

  init(_ whole: String) {
    let whole = Array(whole.utf8)
    let digits = whole.suffix(2 * FolderSnapshot.Digest.size).compactMap(HexadecimalDigit.value)
    guard digits.count == 2 * FolderSnapshot.Digest.size else {
      (text, bytes) = (whole, [])
      return
    }
    text = Array(whole.dropLast(digits.count))
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The size in the snapshot, in bytes.
  var size: Int { 1 + text.count + 1 + bytes.count }
}

/// The lower-case hexadecimal digits, in which digests are written.
enum HexadecimalDigit {
  static func character(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
