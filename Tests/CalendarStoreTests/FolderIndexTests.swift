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

  /// The files of the folder, all of which are read.
  private func table(
    at now: Instant = later, _ item: (String) -> ItemSummary = { summary($0) }
  ) throws -> ItemTable {
    var table = ItemTable()
    _ = table.update(to: try calendar.listing(at: now))
    for row in table.staleRows { table.set(.item(item(table.name(row))), of: row) }
    return table
  }

  /// The items by name that a new process has by the index; nil for a file that it has to read.
  private func items() throws -> [String: ItemSummary?]? {
    try index.table(of: calendar, NormalForm()).map(items)
  }

  private func items(in table: ItemTable) throws -> [String: ItemSummary?] {
    var table = table
    _ = table.update(to: try calendar.listing(at: Self.later))
    let rows = table.order.map { row in
      (table.name(row), table.isStale(row) ? nil : table.summary(row))
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private func allItems(in table: ItemTable) -> [ItemSummary?] { table.order.map(table.summary) }

  @Test("Every kind of item is read as it was written, except for files that changed")
  func roundTrip() throws {
    let names = ItemKind.allCases.map { "\($0.rawValue).ics" }.sorted()
    try write(names)
    let kinds = Dictionary(
      uniqueKeysWithValues: ItemKind.allCases.map { ("\($0.rawValue).ics", $0) })
    func summary(_ name: String) -> ItemSummary { Self.summary(name, kinds[name] ?? .event) }
    #expect(try items() == nil)
    #expect(index.write(try table(summary), of: calendar, NormalForm()))
    #expect(try items() == kinds.mapValues { Self.summary("\($0.rawValue).ics", $0) })
    try write(["0.ics", "VTODO0.ics"])
    try FileManager.default.removeItem(atPath: folder.path(of: "home/VEVENT.ics"))
    try folder.write("other".utf8, to: "home/VJOURNAL.ics")
    let found = try #require(try items())
    #expect(found.count == 6)
    for (name, item) in found {
      let isSame = ["VTODO.ics", "VFREEBUSY.ics", "VAVAILABILITY.ics"].contains(name)
      #expect(item == (isSame ? summary(name) : nil), "\(name)")
    }
  }

  @Test("Only the user has access to the index and its folder, and no other index is read")
  func permissions() throws {
    try write(["a.ics"])
    let table = try table()
    try folder.makeFolder("cache/epact")
    try setMode(0o755, of: "cache/epact")
    #expect(index.write(table, of: calendar, NormalForm()))
    #expect(try folder.mode(of: "cache/epact") == 0o700)
    #expect(try folder.mode(of: "cache/epact/home.index") == 0o600)
    #expect(try items() == ["a.ics": Self.summary("a.ics")])
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
    #expect(index.write(try table(), of: calendar, NormalForm()))
    #expect(index.table(of: calendar, NormalForm(zones: nil)) != nil)
    let zones = NormalForm(zones: ZoneResolver(database: ZoneDatabase(folders: [])))
    #expect(index.table(of: calendar, zones) == nil)
    try folder.makeFolder("other")
    let other = try FolderCalendar(path: folder.path(of: "other"), for: .reading)
    #expect(index.table(of: other, NormalForm()) == nil)
    let bytes = try folder.bytes(of: "cache/epact/home.index")
    let old = String(decoding: bytes.prefix(14), as: UTF8.self)
    #expect(old == "epact index 3 ")
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
    let doubtful = try table(at: Instant(secondsSinceEpoch: 0))
    #expect(index.write(doubtful, of: calendar, NormalForm()))
    #expect(try items() == ["a.ics": nil, "b.ics": nil])
    let long = ItemSummary(
      uid: UID(String(repeating: "x", count: 2000)), kind: .event, span: nil,
      revision: Revision(of: []), titles: [""])
    let titled = ItemSummary(
      uid: UID("x"), kind: .event, span: nil, revision: Revision(of: []),
      titles: Array(repeating: String(repeating: "x", count: 100), count: 21))
    for item in [long, titled] {
      let table = try table { $0 == "a.ics" ? item : Self.summary($0) }
      #expect(index.write(table, of: calendar, NormalForm()))
      #expect(try items() == ["a.ics": nil, "b.ics": Self.summary("b.ics")])
    }
  }

  @Test("The known revision of a file counts while its status certainly is the same")
  func knownRevision() throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:u\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    try folder.write(text.utf8, to: "home/a.ics")
    let known = Revision(of: Array("known".utf8))
    func table(at now: Instant) throws -> ItemTable {
      try self.table(at: now) { _ in
        ItemSummary(uid: UID("u"), kind: .event, span: nil, revision: known, titles: [""])
      }
    }
    func revision(in table: ItemTable) throws -> Revision? {
      try calendar.read(table.order.map(table.file), in: NormalForm()).entries.first?.revision
    }
    let table = try table(at: Self.later)
    #expect(try revision(in: table) == known)
    let doubtful = try self.table(at: Instant(secondsSinceEpoch: 0))
    #expect(try revision(in: doubtful) == Revision(of: Array(text.utf8)))
    let other = text.replacing("UID:u", with: "UID:other")
    try folder.write(other.utf8, to: "home/a.ics")
    #expect(try revision(in: table) == Revision(of: Array(other.utf8)))
    try FileManager.default.removeItem(atPath: folder.path(of: "home/a.ics"))
    #expect(try revision(in: table) == nil)
  }

  @Test("An index that is cut off, longer, or differs in any byte is none")
  func damage() throws {
    try write(["a.ics", "b.ics", "c.ics"])
    let key = Array("a key\n".utf8)
    let table = try table()
    let bytes = try #require(table.bytes(key: key))
    let read = try #require(ItemTable(bytes, key: key))
    #expect(allItems(in: read) == allItems(in: table))
    for length in bytes.indices {
      #expect(ItemTable(Array(bytes.prefix(length)), key: key) == nil)
    }
    #expect(ItemTable(bytes + [0], key: key) == nil)
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << bit
        #expect(ItemTable(changed, key: key) == nil, "\(place)")
      }
    }
  }

  @Test("No bytes make the reader trap, even with a valid checksum")
  func foreignBytes() throws {
    try write(["a.ics", "b.ics"])
    let key = Array("a key\n".utf8)
    let valid = try #require(try table().bytes(key: key))
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
      let sum = ItemTable.checksum(of: body.span)
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
      }
      guard let table = ItemTable(bytes + body, key: key) else { return }
      guard table.bytes(key: key) != nil, try items(in: table).count == 2 else { throw Failure() }
    }
  }

  private struct Failure: Error {}
}
