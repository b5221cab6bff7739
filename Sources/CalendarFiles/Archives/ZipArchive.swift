// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The directory of a ZIP archive (APPNOTE.TXT 6.3), such as an export of Google Takeout.
///
/// ```
/// [local header, contents]…  [directory header]…  [end record of ZIP64, locator]  end record
/// ```
///
/// Only the directory at the end of the file is read, also for archives with 64-bit sizes and those
/// that follow a program that extracts them. Every number is checked against the size of the file.
package struct ZipArchive: Sendable {
  /// The maximum number of entries.
  package static let entryLimit = 100_000
  /// The maximum size of the directory, in bytes.
  static let directoryLimit = 64 << 20
  /// The maximum size of all entries that are read, in bytes.
  static let totalLimit = 4 << 30

  /// The entries in the order of the directory, without folders.
  package let entries: [ZipEntry]

  /// Whether a file begins as an archive does: with an entry, or with the end of an empty archive.
  ///
  /// Only ordinary files are examined, because the first bytes of a pipe could not be read again.
  static func isArchive(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = try? ArchiveFile(path: path), let start = try? file.read(at: 0, count: 4)
    else { return false }
    return start == [0x50, 0x4B, 0x03, 0x04] || start == [0x50, 0x4B, 0x05, 0x06]
  }

  /// Reads the directory of an archive.
  ///
  /// - Throws: `ZipError` if it is damaged or exceeds a limit; `SystemError`.
  package init(reading path: String) throws {
    let file = try ArchiveFile(path: path)
    let end = try EndRecord(of: file)
    guard end.directorySize <= Self.directoryLimit else {
      throw ZipError("the directory of the archive is larger than 64 MiB")
    }
    let bytes = try file.read(at: end.directoryStart, count: end.directorySize)
    var entries: [ZipEntry] = []
    var place = 0
    var count = 0
    while place < bytes.count {
      count += 1
      guard count <= Self.entryLimit else {
        throw ZipError("the archive has more than \(Self.entryLimit) entries")
      }
      let (entry, length) = try ZipEntry.parse(
        ZipRecord(bytes[place...]), shiftedBy: end.directoryStart - end.statedStart)
      if !entry.isFolder { entries.append(entry) }
      place += length
    }
    // Programs without 64-bit numbers count to 65,535 and start again at zero.
    guard count & 0xFFFF == end.entryCount & 0xFFFF else {
      throw ZipError(
        "the archive is damaged: expected \(end.entryCount) entries, found \(count)")
    }
    self.entries = entries
  }
}

/// The record at the end of an archive, which has the place of the directory.
private struct EndRecord {
  private static let size = 22
  private static let signature = 0x0605_4B50
  private static let largeSize = 56
  private static let largeSignature = 0x0606_4B50
  private static let locatorSize = 20
  private static let locatorSignature = 0x0706_4B50
  /// The maximum size of the comment after the record.
  private static let commentLimit = 0xFFFF

  /// The number of entries.
  private(set) var entryCount: Int
  private(set) var directorySize: Int
  /// The offset of the directory as the record states it.
  private(set) var statedStart: Int
  /// The offset of the directory in the file, which is larger if something precedes the archive.
  private(set) var directoryStart: Int

  init(of file: borrowing ArchiveFile) throws {
    let start = max(0, file.size - Self.size - Self.commentLimit)
    let tail = try file.read(at: start, count: file.size - start)
    guard let place = try Self.place(in: tail) else {
      throw ZipError("the archive is truncated: it has no directory at its end")
    }
    let record = ZipRecord(tail[place...])
    let disks = [try record.number(at: 4, bytes: 2), try record.number(at: 6, bytes: 2)]
    entryCount = try record.number(at: 10, bytes: 2)
    directorySize = try record.number(at: 12, bytes: 4)
    statedStart = try record.number(at: 16, bytes: 4)
    var end = start + place
    if entryCount == 0xFFFF || directorySize == 0xFFFF_FFFF || statedStart == 0xFFFF_FFFF {
      if let large = try Self.large(of: file, before: end) {
        (entryCount, directorySize, statedStart, end) = (
          large.count, large.size, large.start, large.place
        )
      }
    } else if disks.contains(where: { $0 != 0 }) {
      throw ZipError("the archive is a part of several, which have to be joined first")
    }
    guard directorySize <= end, statedStart <= end - directorySize else {
      throw ZipError("the archive is damaged: its directory is not where its end says")
    }
    directoryStart = end - directorySize
  }

  /// The place of the record: the last one whose comment ends with the file, or else the last one.
  private static func place(in tail: [UInt8]) throws(ZipError) -> Int? {
    var other: Int?
    for place in stride(from: tail.count - size, through: 0, by: -1) {
      let record = ZipRecord(tail[place...])
      // The first byte rejects most places without further work.
      guard tail[place] == 0x50, try record.number(at: 0, bytes: 4) == signature else { continue }
      let comment = try record.number(at: 20, bytes: 2)
      if place + size + comment == tail.count { return place }
      if other == nil, place + size + comment < tail.count { other = place }
    }
    return other
  }

  /// The record with 64-bit numbers (APPNOTE 4.3.14); nil if there is none.
  private static func large(
    of file: borrowing ArchiveFile, before end: Int
  ) throws -> (count: Int, size: Int, start: Int, place: Int)? {
    guard end >= locatorSize + largeSize else { return nil }
    let locator = ZipRecord(try file.read(at: end - locatorSize, count: locatorSize)[...])
    guard try locator.number(at: 0, bytes: 4) == locatorSignature else { return nil }
    // If something precedes the archive, the stated place is too small.
    let stated = try locator.number(at: 8, bytes: 8)
    for place in [stated, end - locatorSize - largeSize]
    where place <= end - locatorSize - largeSize {
      let record = ZipRecord(try file.read(at: place, count: largeSize)[...])
      guard try record.number(at: 0, bytes: 4) == largeSignature else { continue }
      return (
        try record.number(at: 32, bytes: 8), try record.number(at: 40, bytes: 8),
        try record.number(at: 48, bytes: 8), place
      )
    }
    throw ZipError("the archive is damaged: its end record with 64-bit numbers is missing")
  }
}
