// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

struct LibraryContentsTests {
  @Test func onlyChangedFilesAreRead() async throws {
    let scene = try LibraryScene()
    for number in 0..<200 {
      try scene.write(
        TestItem.make(uid: "item-\(number)"), to: "calendars/private/item-\(number).ics")
    }
    let opened = try await OpenedFiles(in: scene.folder.path(of: "calendars/private"))
    let first = try scene.contents("private")
    #expect(first.entries.count == 200)
    #expect(first.entries["item-7"]?.name == "item-7.ics")
    #expect(opened.names().count == 200)
    #expect(try scene.contents("private").generation == first.generation)
    #expect(opened.names().isEmpty)

    try scene.write(
      TestItem.make(uid: "item-7", summary: "Dinner"), to: "calendars/private/item-7.ics")
    try scene.write(TestItem.make(uid: "new"), to: "calendars/private/new.ics")
    try FileManager.default.removeItem(
      atPath: scene.folder.path(of: "calendars/private/item-8.ics"))
    _ = opened.names()
    let second = try scene.contents("private")
    #expect(opened.names() == ["item-7.ics", "new.ics"])
    #expect(second.generation != first.generation)
    #expect(second.entries.count == 200)
    #expect(second.entries["item-7"]?.item.title == "Dinner")
    #expect(second.entries["item-8"] == nil)
    #expect(first.entries["item-8"] != nil)
  }

  /// Without events, two versions within two seconds may have the same status.
  @Test(arguments: [true, false]) func aRecentFileIsReadAgainWithoutEvents(_ usesEvents: Bool)
    async throws
  {
    let scene = try LibraryScene(isLater: false, usesEvents: usesEvents)
    let opened = try await OpenedFiles(in: scene.folder.path(of: "calendars/private"))
    // Nothing waits between the write and the reads, so that the file is recent.
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    _ = opened.names()
    let first = try scene.contents("private")
    let second = try scene.contents("private")
    #expect(opened.names() == (usesEvents ? ["a.ics"] : ["a.ics", "a.ics"]))
    // It has the same content.
    #expect(first.generation == second.generation)
  }

  @Test func unreadableFilesAreListed() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/b.ics")
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/c.ics")
    try scene.folder.write([], to: "calendars/private/empty.ics")
    let contents = try scene.contents("private")
    #expect(contents.entries["a"]?.name == "b.ics")
    #expect(contents.unreadable.map(\.name) == ["c.ics", "empty.ics"])
    #expect(contents.unreadable[0].reason == "holds the UID 'a', which b.ics holds already")
    // The other file takes its place.
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "calendars/private/b.ics"))
    let later = try scene.contents("private")
    #expect(later.entries["a"]?.name == "c.ics")
    #expect(later.unreadable.map(\.name) == ["empty.ics"])
  }

  @Test func aCalendarOfOneFileIsReadWhenItChanged() async throws {
    let scene = try LibraryScene()
    #expect(try scene.contents("one").entries.isEmpty)
    try scene.write(TestItem.make(uid: "a"), to: "one.ics")
    let opened = try await OpenedFiles(in: scene.folder.path)
    let first = try scene.contents("one")
    #expect(first.entries.keys.map(\.rawValue) == ["a"])
    #expect(try scene.contents("one").generation == first.generation)
    #expect(opened.names().filter { $0 == "one.ics" }.count == 1)
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "one.ics"))
    #expect(try scene.contents("one").entries.isEmpty)
  }

  // MARK: The index

  /// Every item that the query finds is a candidate, whatever it consists of.
  @Test func candidatesContainAllItemsWithOccurrences() throws {
    let zones = Machine.live().zoneResolver
    let viewer = try zones.rules(of: zones.resolve("Pacific/Auckland"))
    forAll(5) { random in
      let scene = try LibraryScene()
      var items: [CalendarItem] = []
      for number in 0..<40 {
        let item = IndexedItem.random(number, &random)
        items.append(item)
        try scene.write(item, to: "calendars/private/\(number).ics")
      }
      // Items that change, and others that are removed.
      _ = try scene.contents("private")
      for number in 0..<10 {
        items[number] = IndexedItem.random(number, &random)
        try scene.write(items[number], to: "calendars/private/\(number).ics")
      }
      for number in 30..<40 {
        try FileManager.default.removeItem(
          atPath: scene.folder.path(of: "calendars/private/\(number).ics"))
      }
      items.removeLast(10)
      let contents = try scene.contents("private")
      for _ in 0..<12 {
        let start = IndexedItem.start + Int64.random(in: -40...4000, using: &random) * 86_400
        let range =
          Instant(
            secondsSinceEpoch: start)..<Instant(
            secondsSinceEpoch: start + Int64.random(in: 1...40, using: &random) * 86_400)
        var query = OccurrenceQuery(in: range, viewer: viewer, zones: zones)
        for item in items { query.add(item) }
        let wanted = Set(query.occurrences().map(\.uid))
        let found = contents.candidates(in: range).map(\.item.uid)
        try expect(found.count == Set(found).count, "an item is found twice")
        for uid in wanted.subtracting(found) {
          let item = items.first { $0.uid == uid }
          throw Failure("\(range): \(String(decoding: item?.serialized() ?? [], as: UTF8.self))")
        }
      }
    }
  }

  @Test func itemsOfOtherTimesAreNoCandidates() throws {
    let scene = try LibraryScene()
    let lines = [
      "single": "", "until": "RRULE:FREQ=WEEKLY;UNTIL=20260401T000000Z",
      "count": "RRULE:FREQ=DAILY;COUNT=20", "endless": "RRULE:FREQ=YEARLY",
      "days": "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;COUNT=9",
    ]
    for (uid, line) in lines {
      let text = TestItem.text(uid: uid).replacing("SEQUENCE", with: "\(line)\r\nSEQUENCE")
      try scene.folder.write(
        text.replacing("\r\n\r\n", with: "\r\n").utf8, to: "calendars/private/\(uid).ics")
    }
    let undated = TestItem.text(uid: "undated", kind: .reminder).split(separator: "\r\n")
      .filter { !$0.hasPrefix("DTSTART") }
    try scene.folder.write(
      lines: undated.map(String.init), to: "calendars/private/undated.ics")
    let contents = try scene.contents("private")
    #expect(contents.entries.count == 6)
    func candidates(_ from: Int64, _ to: Int64) -> Set<String> {
      let noon: Int64 = 1_772_366_400  // 20260301T120000Z
      let range =
        Instant(
          secondsSinceEpoch: noon + from * 86_400)..<Instant(secondsSinceEpoch: noon + to * 86_400)
      return Set(contents.candidates(in: range).map(\.item.uid.rawValue))
    }
    #expect(candidates(-40, -10) == [])
    #expect(candidates(-40, 10) == ["single", "until", "count", "endless", "days"])
    #expect(candidates(10, 20) == ["until", "count", "endless", "days"])
    #expect(candidates(50, 60) == ["endless", "days"])
    #expect(candidates(500, 501) == ["endless"])
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

private func expect(_ condition: Bool, _ message: String) throws {
  if !condition { throw Failure(message) }
}
