// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import Foundation
import TestSupport
import Testing

/// The directory of archives, and the contents of their entries.
struct ZipArchiveTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func archive(_ builder: ZipBuilder) throws -> ZipArchive {
    try ZipArchive(reading: try folder.write(builder.bytes, to: "x.zip"))
  }

  /// The contents of the entries of an archive that are calendars by their names.
  private func contents(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
    let path = try folder.write(bytes, to: "x.zip")
    var found: [String: [UInt8]] = [:]
    var failure: FileEvent?
    for source in FileSource.find([path], report: { failure = $0 }) {
      // A file that does not begin as an archive is a source of its own.
      guard case .entry = source else { continue }
      var stream = try source.open()
      found[source.label] = try stream.readAll(limit: 1 << 30)
    }
    if case .unreadable(_, let reason) = failure { throw Failure(reason: reason) }
    return found
  }

  private struct Failure: Error {
    let reason: String
  }

  @Test func theNameOfAnEntryIsReadInItsCharset() throws {
    func name(_ bytes: [UInt8], flags: Int = 0, extra: [UInt8] = []) throws -> String? {
      var entry = BuiltEntry("", [])
      (entry.name, entry.flags, entry.extra) = (bytes, flags, extra)
      return try archive(ZipBuilder([entry])).entries.first?.name
    }
    #expect(try name(Array("Büro.ics".utf8), flags: 0x800) == "Büro.ics")
    // Archives of macOS have names in UTF-8 without the flag.
    #expect(try name(Array("Büro.ics".utf8)) == "Büro.ics")
    #expect(try name([0x42, 0x81, 0x72, 0x6F] + Array(".ics".utf8)) == "Büro.ics")
    #expect(try name([0x80, 0xE1, 0xFE, 0xFF]) == "Çß■\u{A0}")
    // The flag is wrong.
    #expect(try name([0x42, 0x81], flags: 0x800) == "B\u{FFFD}")
    // A name in UTF-8 beside the stored one (APPNOTE 4.6.9), and one that belongs to another name.
    func field(for stored: [UInt8]) -> [UInt8] {
      let text = Array("日程.ics".utf8)
      let checksum = Int(BuiltEntry.checksum(of: stored))
      return BuiltEntry.number(0x7075, 2) + BuiltEntry.number(5 + text.count, 2) + [1]
        + BuiltEntry.number(checksum, 4) + text
    }
    let stored = Array("__.ics".utf8)
    #expect(try name(stored, extra: field(for: stored)) == "日程.ics")
    #expect(try name(stored, extra: field(for: [1])) == "__.ics")
    #expect(try name(stored, extra: [1, 0, 0xFF, 0xFF]) == "__.ics")
  }

  @Test func contentsOfAnyLengthAreReturned() throws {
    var random = SeededGenerator(seed: 1)
    let block = (0..<1009).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    // Contents above one MiB are not held in memory.
    let large = [UInt8](repeatElement(block, count: 1040).joined())
    let parts = [1009, 0xFFFF, 0x10000].map { Array(large[..<$0]) }
    for bytes in [[], [1]] + parts + [large] {
      for method in [0, 8] {
        let builder = ZipBuilder([BuiltEntry("a.ics", bytes, method: method)])
        #expect(
          try contents(builder.bytes).values.first == bytes, "\(bytes.count) bytes, \(method)")
      }
    }
  }

  @Test func sizesOf64BitsAPrefixAndACommentAreRead() throws {
    let text = Array("BEGIN:VCALENDAR".utf8)
    for (isLarge, prefix) in [(true, 0), (true, 5000), (false, 0), (false, 5000)] {
      var entry = BuiltEntry("a.ics", text, method: 8)
      entry.isLarge = isLarge
      var builder = ZipBuilder([entry, BuiltEntry("b.ics", text)])
      builder.isLarge = isLarge
      // The prefix has what looks like an archive; it begins with the signature that is expected.
      builder.prefix =
        prefix == 0 ? [] : [0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: prefix)
      // A comment may contain the signature of the record.
      builder.comment = Array("comment PK\u{5}\u{6} and more of it".utf8)
      #expect(try contents(builder.bytes).values.allSatisfy { $0 == text })
      #expect(try archive(builder).entries.map(\.name) == ["a.ics", "b.ics"])
    }
  }

  @Test func anEndRecordInTheCommentIsNotTheEnd() throws {
    // The comment of the end record extends to the end of the file (APPNOTE 4.3.16); that of the
    // copy in the comment does not.
    var builder = ZipBuilder([BuiltEntry("a.ics", Array("BEGIN:VCALENDAR".utf8))])
    builder.comment = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 40)
    #expect(try archive(builder).entries.map(\.name) == ["a.ics"])
  }

  @Test func aDirectoryAboveTheLimitIsNotRead() throws {
    var bytes = [UInt8](repeating: 0, count: 65 << 20)
    var end = ZipBuilder([]).bytes
    end.replaceSubrange(12..<16, with: BuiltEntry.number(bytes.count, 4))
    bytes += end
    let path = try folder.write(bytes, to: "x.zip")
    let error = try #require(throws: ZipError.self) { try ZipArchive(reading: path) }
    #expect(error.description == "the directory of the archive is larger than 64 MiB")
  }

  @Test func aDamagedDirectoryIsAnError() throws {
    func message(_ bytes: [UInt8]) throws -> String {
      let path = try folder.write(bytes, to: "x.zip")
      return try #require(throws: ZipError.self) { try ZipArchive(reading: path) }.description
    }
    let entry = BuiltEntry("a.ics", Array("BEGIN:VCALENDAR".utf8))
    var part = ZipBuilder([entry])
    part.disk = 2
    #expect(try message(part.bytes).hasPrefix("the archive is a part of several"))
    var short = ZipBuilder([entry])
    short.count = 3
    #expect(try message(short.bytes) == "the archive is damaged: expected 3 entries, found 1")
    #expect(try message(Array("PK\u{3}\u{4}".utf8)).hasPrefix("the archive is truncated"))
    var bytes = ZipBuilder([entry]).bytes
    // The place of the directory is beyond the end of the file.
    bytes.replaceSubrange(bytes.count - 6..<bytes.count - 2, with: [0xFF, 0xFF, 0xFF, 0x7F])
    #expect(try message(bytes).hasPrefix("the archive is damaged: its directory"))
    let many = [BuiltEntry](repeating: BuiltEntry("", []), count: ZipArchive.entryLimit + 1)
    #expect(try message(ZipBuilder(many).bytes) == "the archive has more than 100000 entries")
  }

  @Test func aTruncatedArchiveIsAnErrorAtEveryLength() throws {
    let text = Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8)
    let bytes = ZipBuilder([
      BuiltEntry("a.ics", text), BuiltEntry("b.ics", text, method: 8),
    ]).bytes
    for length in 4..<bytes.count {
      #expect(throws: (any Error).self) { try contents(Array(bytes[..<length])) }
    }
  }

  @Test func noChangeOfBytesTrapsOrReturnsOtherContents() throws {
    let text = Array(String(repeating: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", count: 40).utf8)
    var large = ZipBuilder([
      BuiltEntry("a.ics", text), BuiltEntry("b.ics", text, method: 8),
    ])
    let plain = large.bytes
    large.isLarge = true
    for index in large.entries.indices { large.entries[index].isLarge = true }
    let originals = [
      plain, large.bytes,
      [UInt8](try Data(contentsOf: Fixture.root.appending(path: "archives/takeout.zip"))),
    ]
    let known = Set([text] + (try contents(originals[2]).values))
    forAll(400) { random in
      var bytes = originals.randomElement(using: &random) ?? plain
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard !bytes.isEmpty else { break }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] = Bool.random(using: &random) ? 0xFF : 0
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      guard let found = try? contents(bytes) else { return }
      // The checksum lets no other contents pass, unless it is changed to match, which is rare.
      for contents in found.values where !contents.isEmpty {
        try #require(known.contains(contents))
      }
    }
  }
}
