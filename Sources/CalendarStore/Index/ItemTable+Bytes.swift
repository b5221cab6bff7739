// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

// The format: a key, a checksum, the number of rows, the rows in order of their names, and their
// texts one after the other. Numbers are little-endian.
//
//     the key   the name and the version of the format, the folder, and the versions of the code
//     8 bytes   the checksum of all bytes after it
//     4 bytes   the number of rows
//
// A row:
//
//     32 bytes  size, modified, changed (nanoseconds since 1970), file number
//     32 bytes  revision
//     16 bytes  start and end of the span (seconds since 1970); the start is greater for no span
//     16 bytes  lengths of name, UID, titles and words
//     1 byte    kind of the item
//     1 byte    1 if the words are known, plus 2 for a settled reminder
//
// Bytes that differ from this in any way are not an index.

extension ItemTable {
  /// The maximum number of rows; larger folders have no index.
  static let rowLimit = 500_000
  /// The maximum size of an index in bytes; larger ones are neither written nor read.
  static let sizeLimit = 256 << 20
  /// The maximum length of a UID in an index, in bytes; files with longer ones have no row.
  fileprivate static let uidLimit = 1024
  /// The maximum length of all titles of an item, in bytes; files with longer ones have no row.
  fileprivate static let titleLimit = 2048
  /// The size of a row in bytes.
  private static let rowSize = 98

  // MARK: Writing

  /// The index of the files whose content is certain; nil if it is too large.
  package func bytes(key: [UInt8]) -> [UInt8]? {
    let saved = order.filter { rows[$0].isSaved }
    let size = saved.reduce(key.count + 12) { $0 + Self.rowSize + rows[$1].textCount }
    guard saved.count <= Self.rowLimit, size <= Self.sizeLimit else { return nil }
    var body: [UInt8] = []
    body.reserveCapacity(size)
    Self.append(UInt32(saved.count), to: &body)
    for row in saved { Self.append(rows[row], to: &body) }
    for row in saved { body += texts[rows[row].textRange] }
    var bytes = key
    bytes.reserveCapacity(size)
    Self.append(Self.checksum(of: body.span), to: &bytes)
    return bytes + body
  }

  private static func append(_ row: ItemRow, to bytes: inout [UInt8]) {
    guard let revision = row.revision, let kind = row.kind else { return }
    for number in [
      row.stamp.size, row.stamp.modifiedAt, row.stamp.changedAt, row.stamp.number,
      revision.first, revision.second, revision.third, revision.fourth,
      UInt64(bitPattern: row.lower), UInt64(bitPattern: row.upper),
    ] {
      append(number, to: &bytes)
    }
    for count in [row.nameCount, row.uidCount, row.titlesCount, row.wordsCount] {
      append(UInt32(bitPattern: count), to: &bytes)
    }
    bytes.append(kind.indexNumber)
    bytes.append((row.hasWords ? 1 : 0) + (row.isSettled ? 2 : 0))
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  // MARK: Reading

  /// Reads an index; nil if the bytes are none with the key.
  package init?(_ bytes: [UInt8], key: [UInt8]) {
    guard bytes.starts(with: key), bytes.count >= key.count + 12 else { return nil }
    let all = bytes.span
    let body = all.extracting(droppingFirst: key.count + 8)
    guard all.number(UInt64.self, at: key.count) == Self.checksum(of: body) else { return nil }
    let count = Int(body.number(UInt32.self, at: 0))
    let textStart = 4 + count * Self.rowSize
    guard count <= Self.rowLimit, textStart <= body.count else { return nil }
    var rows: [ItemRow] = []
    rows.reserveCapacity(count)
    let head = key.count + 8 + textStart
    var start = head
    for place in 0..<count {
      guard
        let row = ItemRow(body.extracting(droppingFirst: 4 + place * Self.rowSize), textsAt: start),
        row.textRange.upperBound <= bytes.count
      else { return nil }
      start = row.textRange.upperBound
      rows.append(row)
    }
    guard start == bytes.count else { return nil }
    for place in rows.indices.dropLast() {
      let name = all.extracting(rows[place].nameRange)
      guard name.compared(to: all.extracting(rows[place + 1].nameRange)) < 0 else { return nil }
    }
    // The texts stay where they are.
    self.init(rows, texts: bytes, from: head)
  }

  /// A checksum in which every change of up to eight adjacent bytes is visible.
  ///
  /// It detects damage, not intent: other users have no access to the folder of the index. Each
  /// step is reversible, so that two states never become one. SHA-256 would take longer than
  /// reading the index does.
  package static func checksum(of bytes: Span<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 32
    }
    var place = 0
    while bytes.count - place >= 8 {
      add(bytes.number(UInt64.self, at: place))
      place += 8
    }
    for place in place..<bytes.count { add(UInt64(bytes[place])) }
    add(UInt64(bytes.count))
    return sum
  }
}

extension ItemRow {
  /// Whether an index has the row: the content is certain, and no text is too long.
  fileprivate var isSaved: Bool {
    content == .item && isCertain && !isStale && revision != nil && uidCount <= ItemTable.uidLimit
      && titlesCount <= ItemTable.titleLimit
  }

  /// Reads a row; nil if the bytes do not describe one.
  fileprivate init?(_ bytes: Span<UInt8>, textsAt start: Int) {
    func number(_ place: Int) -> UInt64 { bytes.number(UInt64.self, at: 8 * place) }
    func count(_ place: Int) -> Int32 {
      Int32(bitPattern: bytes.number(UInt32.self, at: 80 + 4 * place))
    }
    guard let kind = ItemKind(indexNumber: bytes[96]), bytes[97] < 4 else { return nil }
    self.init(
      FileStamp(
        size: number(0), modifiedAt: number(1), changedAt: number(2), number: number(3)),
      isCertain: true)
    revision = RevisionBytes(number(4), number(5), number(6), number(7))
    (lower, upper) = (Int64(bitPattern: number(8)), Int64(bitPattern: number(9)))
    self.start = start
    (nameCount, uidCount, titlesCount, wordsCount) = (count(0), count(1), count(2), count(3))
    guard nameCount > 0, uidCount >= 0, titlesCount >= 0, wordsCount >= 0 else { return nil }
    (content, self.kind, isStale) = (.item, kind, false)
    (hasWords, isSettled) = (bytes[97] & 1 != 0, bytes[97] & 2 != 0)
  }
}

extension Span<UInt8> {
  /// The little-endian number at an offset, which must be inside the bytes.
  @inline(__always)
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, at place: Int
  ) -> Number {
    // Any bytes are a valid number, and the operation checks the bounds.
    Number(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
