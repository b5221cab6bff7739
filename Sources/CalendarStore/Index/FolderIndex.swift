// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

// The format: a key, a checksum, the number of rows, then the rows, sorted bytewise by name.
// Numbers are little-endian.
//
//     the key   the name and the version of the format, the folder, and the versions of the code
//     8 bytes   the checksum of all bytes after it
//     4 bytes   the number of rows
//
// A row:
//
//     32 bytes  size, modified, changed (nanoseconds since 1970), file number
//     1 byte    kind of the item
//     16 bytes  start and end of the span (seconds since 1970); the start is greater for no span
//     2 bytes   length of the name          name
//     2 bytes   length of the UID           UID
//     2 bytes   length of the revision      revision
//     2 bytes   number of titles            for each, 2 bytes length and the title
//
// Bytes that differ from this in any way are not an index.

/// The encoding of the items of a folder by their files.
package enum FolderIndex {
  /// A file with the summary of its item.
  package typealias Row = (file: FileVersion, item: ItemSummary)

  /// The maximum number of rows; larger folders have no index.
  static let rowLimit = 500_000
  /// The maximum size of an index in bytes; larger ones are neither written nor read.
  static let sizeLimit = 128 << 20
  /// The maximum length of a UID in an index, in bytes; files with longer ones have no row.
  private static let uidLimit = 1024
  /// The maximum length of all titles of an item, in bytes; files with longer ones have no row.
  private static let titleLimit = 2048

  // MARK: Writing

  /// The index of some files in order of their names; nil if it is too large.
  package static func bytes(of rows: [Row], key: [UInt8]) -> [UInt8]? {
    var body: [UInt8] = []
    body.reserveCapacity(160 * rows.count)
    var count: UInt32 = 0
    for row in rows where append(row, to: &body) { count += 1 }
    guard rows.count <= rowLimit, key.count + 12 + body.count <= sizeLimit else { return nil }
    var counted: [UInt8] = []
    counted.reserveCapacity(body.count + 4)
    append(count, to: &counted)
    counted += body
    var bytes = key
    bytes.reserveCapacity(key.count + 8 + counted.count)
    append(checksum(of: counted[...]), to: &bytes)
    return bytes + counted
  }

  /// Appends a row, or returns false if one of its texts is too long.
  private static func append(_ row: Row, to bytes: inout [UInt8]) -> Bool {
    let texts = [row.file.name, row.item.uid.rawValue, row.item.revision.rawValue]
    let titles = row.item.titles
    guard texts.allSatisfy({ $0.utf8.count <= UInt16.max }), texts[1].utf8.count <= uidLimit,
      titles.reduce(0, { $0 + $1.utf8.count + 2 }) <= titleLimit
    else { return false }
    let stamp = row.file.stamp
    for number in [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number] {
      append(number, to: &bytes)
    }
    bytes.append(row.item.kind.indexNumber)
    let lower = row.item.span?.lowerBound.secondsSinceEpoch ?? 1
    let upper = row.item.span?.upperBound.secondsSinceEpoch ?? 0
    append(UInt64(bitPattern: lower), to: &bytes)
    append(UInt64(bitPattern: upper), to: &bytes)
    for text in texts { append(text, to: &bytes) }
    append(UInt16(titles.count), to: &bytes)
    for title in titles { append(title, to: &bytes) }
    return true
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(UInt16(text.utf8.count), to: &bytes)
    bytes += text.utf8
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  // MARK: Reading

  /// The items of the files that are the same as in an index; nil if the bytes are not an index.
  ///
  /// - Parameters:
  ///   - files: The current files, in order of their names.
  ///   - bytes: The bytes of the index.
  ///   - key: The key that the index must have.
  /// - Returns: An item or nil for each file.
  package static func items(
    of files: [FileVersion], in bytes: [UInt8], key: [UInt8]
  ) -> [ItemSummary?]? {
    guard bytes.starts(with: key) else { return nil }
    var reader = IndexReader(bytes, from: key.count)
    guard let sum = reader.number(UInt64.self), sum == checksum(of: bytes[reader.place...]),
      let count = reader.number(UInt32.self), count <= rowLimit
    else { return nil }
    var items: [ItemSummary?] = []
    items.reserveCapacity(files.count)
    var last: ArraySlice<UInt8> = []
    for _ in 0..<count {
      guard let row = reader.row(), last.isOrdered(before: row.name) else { return nil }
      last = row.name
      while items.count < files.count {
        let file = files[items.count]
        let name = Array(file.name.utf8)[...]
        if row.name == name {
          guard let item = row.item else { return nil }
          items.append(file.stamp == row.stamp ? item : nil)
          break
        }
        guard name.isOrdered(before: row.name) else { break }
        items.append(nil)
      }
    }
    guard reader.place == bytes.count else { return nil }
    items += Array(repeating: nil, count: files.count - items.count)
    return items
  }

  /// A checksum in which every change of up to eight adjacent bytes is visible.
  ///
  /// It detects damage, not intent: other users have no access to the folder of the index. Each
  /// step is reversible, so that two states never become one. SHA-256 would take longer than
  /// reading the index does.
  package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 32
    }
    var place = bytes.startIndex
    while bytes.endIndex - place >= 8 {
      add(word(bytes, at: place))
      place += 8
    }
    for byte in bytes[place...] { add(UInt64(byte)) }
    add(UInt64(bytes.count))
    return sum
  }

  private static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt64 {
    (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }
}

/// A reader of an index from front to back, which never reads past the end.
private struct IndexReader {
  /// The fields of a row.
  struct Row {
    let stamp: FileStamp
    let kind: UInt8
    let lower: Int64
    let upper: Int64
    let name: ArraySlice<UInt8>
    let uid: ArraySlice<UInt8>
    let revision: ArraySlice<UInt8>
    let titles: [ArraySlice<UInt8>]

    /// The item; nil if the fields do not describe one.
    var item: ItemSummary? {
      guard let kind = ItemKind(indexNumber: kind),
        let uid = String(validating: uid.span),
        let revision = String(validating: revision.span)
      else { return nil }
      let titles = self.titles.compactMap { String(validating: $0.span) }
      guard !titles.isEmpty, titles.count == self.titles.count else { return nil }
      let span: Range<Instant>? =
        lower <= upper
        ? Instant(secondsSinceEpoch: lower)..<Instant(secondsSinceEpoch: upper) : nil
      return ItemSummary(
        uid: UID(uid), kind: kind, span: span, revision: Revision(revision), titles: titles)
    }
  }

  private let bytes: [UInt8]
  private(set) var place: Int

  init(_ bytes: [UInt8], from place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// Reads a number; nil at the end.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
    let count = Number.bitWidth / 8
    guard bytes.count - place >= count else { return nil }
    var number: Number = 0
    for index in 0..<count { number |= Number(bytes[place + index]) << Number(8 * index) }
    place += count
    return number
  }

  /// Reads a text with its length before it; nil at the end.
  private mutating func text() -> ArraySlice<UInt8>? {
    guard let count = number(UInt16.self).map(Int.init), bytes.count - place >= count else {
      return nil
    }
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// Reads a row; nil at the end.
  mutating func row() -> Row? {
    guard let size = number(UInt64.self), let modifiedAt = number(UInt64.self),
      let changedAt = number(UInt64.self), let file = number(UInt64.self),
      let kind = number(UInt8.self), let lower = number(UInt64.self),
      let upper = number(UInt64.self), let name = text(), let uid = text(), let revision = text(),
      let titleCount = number(UInt16.self)
    else { return nil }
    var titles: [ArraySlice<UInt8>] = []
    for _ in 0..<titleCount {
      guard let title = text() else { return nil }
      titles.append(title)
    }
    return Row(
      stamp: FileStamp(size: size, modifiedAt: modifiedAt, changedAt: changedAt, number: file),
      kind: kind, lower: Int64(bitPattern: lower), upper: Int64(bitPattern: upper), name: name,
      uid: uid, revision: revision, titles: titles)
  }
}
