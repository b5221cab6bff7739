// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct FolderIndexTests {
  /// Long after every file was changed: no status is in doubt.
  private static let later = Instant(secondsSinceEpoch: 4_000_000_000)

  let folder: TemporaryFolder
  let calendar: FolderCalendar
  let index: FolderIndexFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("home")
    calendar = try FolderCalendar(path: folder.path(of: "home"), for: .reading)
    index = FolderIndexFile(of: "home", in: folder.path(of: "cache/epact"))
  }

  private static func summary(_ name: String, _ kind: ItemKind = .event) -> ItemSummary {
    let range = Instant(secondsSinceEpoch: -5)..<Instant(secondsSinceEpoch: 1_800_000_000)
    return ItemSummary(
      uid: UID("uid of \(name) é"), kind: kind, span: kind == .reminder ? nil : range,
      revision: Revision(of: Array(name.utf8)), titles: ["Title of \(name) ü", "", "Own title"])
  }

  private func write(_ names: [String]) throws {
    for name in names { try folder.write(name.utf8, to: "home/\(name)") }
  }

  private func files(at now: Instant = later) throws -> [FileVersion] {
    try calendar.files(at: now).files
  }

  private func items() throws -> [ItemSummary?]? {
    index.items(of: try files(), in: calendar, NormalForm())
  }

  @Test("Every kind of item is read as it was written, except for files that changed")
  func roundTrip() throws {
    let names = ItemKind.allCases.map { "\($0.rawValue).ics" }.sorted()
    try write(names)
    let kinds = Dictionary(
      uniqueKeysWithValues: ItemKind.allCases.map { ("\($0.rawValue).ics", $0) })
    let rows = try files().map { ($0, Self.summary($0.name, kinds[$0.name] ?? .event)) }
    #expect(try items() == nil)
    #expect(index.write(rows, of: calendar, NormalForm()))
    #expect(try items() == rows.map { $0.1 })
    try write(["0.ics", "VTODO0.ics"])
    try FileManager.default.removeItem(atPath: folder.path(of: "home/VEVENT.ics"))
    try folder.write("other".utf8, to: "home/VJOURNAL.ics")
    let found = Dictionary(
      uniqueKeysWithValues: zip(try files().map(\.name), try #require(try items())))
    #expect(found.count == 6)
    for (name, item) in found {
      let isSame = ["VTODO.ics", "VFREEBUSY.ics", "VAVAILABILITY.ics"].contains(name)
      #expect(item == (isSame ? Self.summary(name, kinds[name] ?? .event) : nil), "\(name)")
    }
  }

  @Test("Only the user has access to the index and its folder, and no other index is read")
  func permissions() throws {
    try write(["a.ics"])
    let rows = try files().map { ($0, Self.summary($0.name)) }
    try folder.makeFolder("cache/epact")
    try setMode(0o755, of: "cache/epact")
    #expect(index.write(rows, of: calendar, NormalForm()))
    #expect(try folder.mode(of: "cache/epact") == 0o700)
    #expect(try folder.mode(of: "cache/epact/home.index") == 0o600)
    #expect(try items() == rows.map { $0.1 })
    for (mode, name) in [(0o640, "cache/epact/home.index"), (0o750, "cache/epact")] {
      let before = try folder.mode(of: name)
      try setMode(mode, of: name)
      #expect(try items() == nil)
      try setMode(before, of: name)
      #expect(try items() != nil)
    }
    try FileManager.default.moveItem(
      atPath: folder.path(of: "cache/epact/home.index"), toPath: folder.path(of: "cache/epact/own"))
    try folder.link("cache/epact/home.index", to: folder.path(of: "cache/epact/own"))
    #expect(try items() == nil)
  }

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(of: name))
  }

  @Test("An index of another folder, form or version is none")
  func otherKeys() throws {
    try write(["a.ics"])
    let rows = try files().map { ($0, Self.summary($0.name)) }
    #expect(index.write(rows, of: calendar, NormalForm()))
    #expect(index.items(of: try files(), in: calendar, NormalForm(zones: nil)) != nil)
    let zones = NormalForm(zones: ZoneResolver(database: ZoneDatabase(folders: [])))
    #expect(index.items(of: try files(), in: calendar, zones) == nil)
    try folder.makeFolder("other")
    let other = try FolderCalendar(path: folder.path(of: "other"), for: .reading)
    #expect(index.items(of: try files(), in: other, NormalForm()) == nil)
    let bytes = try folder.bytes(of: "cache/epact/home.index")
    let old = String(decoding: bytes.prefix(14), as: UTF8.self)
    #expect(old == "epact index 2 ")
    try folder.write(
      Array("epact index 0 ".utf8) + bytes.dropFirst(14), to: "cache/epact/home.index")
    #expect(try items() == nil)
    try folder.write(bytes, to: "cache/epact/home.index")
    #expect(try items() != nil)
  }

  @Test(
    "Files whose status may hide a change, and items with an excessive UID or title, have no row")
  func doubtfulFiles() throws {
    try write(["a.ics", "b.ics"])
    let doubtful = try files(at: Instant(secondsSinceEpoch: 0))
    #expect(index.write(doubtful.map { ($0, Self.summary($0.name)) }, of: calendar, NormalForm()))
    #expect(try items() == [nil, nil])
    let long = ItemSummary(
      uid: UID(String(repeating: "x", count: 2000)), kind: .event, span: nil,
      revision: Revision(of: []), titles: [""])
    let titled = ItemSummary(
      uid: UID("x"), kind: .event, span: nil, revision: Revision(of: []),
      titles: Array(repeating: String(repeating: "x", count: 100), count: 21))
    for item in [long, titled] {
      let rows = zip(try files(), [item, Self.summary("b.ics")]).map { ($0, $1) }
      #expect(index.write(rows, of: calendar, NormalForm()))
      #expect(try items() == [nil, Self.summary("b.ics")])
    }
  }

  @Test("The known revision of a file counts while its status certainly is the same")
  func knownRevision() throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:u\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    try folder.write(text.utf8, to: "home/a.ics")
    let known = Revision("known")
    func revision(of file: FileVersion) throws -> Revision? {
      let files = [KnownFile(file, revision: known)]
      return try calendar.read(files, in: NormalForm()).entries.first?.revision
    }
    let file = try #require(try files().first)
    #expect(try revision(of: file) == known)
    let doubtful = try #require(try files(at: Instant(secondsSinceEpoch: 0)).first)
    #expect(try revision(of: doubtful) == Revision(of: Array(text.utf8)))
    let other = text.replacing("UID:u", with: "UID:other")
    try folder.write(other.utf8, to: "home/a.ics")
    #expect(try revision(of: file) == Revision(of: Array(other.utf8)))
    try FileManager.default.removeItem(atPath: folder.path(of: "home/a.ics"))
    #expect(try revision(of: file) == nil)
  }

  @Test("An index that is cut off, longer, or differs in any byte is none")
  func damage() throws {
    try write(["a.ics", "b.ics", "c.ics"])
    let files = try files()
    let key = Array("a key\n".utf8)
    let rows = files.map { (file: $0, item: Self.summary($0.name)) }
    let bytes = try #require(FolderIndex.bytes(of: rows, key: key))
    #expect(FolderIndex.items(of: files, in: bytes, key: key) == rows.map(\.item))
    for length in bytes.indices {
      #expect(FolderIndex.items(of: files, in: Array(bytes.prefix(length)), key: key) == nil)
    }
    #expect(FolderIndex.items(of: files, in: bytes + [0], key: key) == nil)
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << bit
        #expect(FolderIndex.items(of: files, in: changed, key: key) == nil, "\(place)")
      }
    }
  }

  @Test("No bytes make the reader trap, even with a valid checksum")
  func foreignBytes() throws {
    try write(["a.ics", "b.ics"])
    let files = try files()
    let key = Array("a key\n".utf8)
    let rows = files.map { (file: $0, item: Self.summary($0.name)) }
    let valid = try #require(FolderIndex.bytes(of: rows, key: key))
    forAll(2_000) { random in
      var body = Array(valid[(key.count + 8)...])
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          body[Int.random(in: body.indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: body.removeLast(Int.random(in: 0..<body.count, using: &random))
        default: body += Array(repeating: .max, count: Int.random(in: 0..<40, using: &random))
        }
        if body.isEmpty { body = [0] }
      }
      var bytes = key
      let sum = FolderIndex.checksum(of: body[...])
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
      }
      let items = FolderIndex.items(of: files, in: bytes + body, key: key)
      guard items == nil || items?.count == files.count else { throw Failure() }
    }
  }

  private struct Failure: Error {}
}
