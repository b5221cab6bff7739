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
    forAll(12) { random in
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

/// Items of many forms, around the same time.
private enum IndexedItem {
  /// The first of January 2026.
  static let start: Int64 = 1_767_225_600

  static func random(_ number: Int, _ random: inout SeededGenerator) -> CalendarItem {
    let kind: ItemKind = Int.random(in: 0..<4, using: &random) == 0 ? .reminder : .event
    let form = Int.random(in: 0..<5, using: &random)
    let day = Int.random(in: 0..<700, using: &random)
    var lines = ["DTSTART" + time(day, form, &random)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let later = day + Int.random(in: 0...30, using: &random)
      lines.append((kind == .event ? "DTEND" : "DUE") + time(later, form, &random))
    case 1: lines.append("DURATION:P\(Int.random(in: 1...60, using: &random))D")
    default: break
    }
    var overrides: [[String]] = []
    if Bool.random(using: &random) {
      lines.append("RRULE:" + rule(day, form, &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        let range = Bool.random(using: &random) ? ";RANGE=THISANDFUTURE" : ""
        let start = lines[0].dropFirst("DTSTART".count)
        overrides.append([
          "RECURRENCE-ID\(range)\(start)",
          "DTSTART" + time(day + Int.random(in: -90...90, using: &random), form, &random),
        ])
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      lines.append("RDATE" + time(day + Int.random(in: -200...900, using: &random), form, &random))
    }
    // A reminder may have only a due time.
    if kind == .reminder, lines.count == 1, Bool.random(using: &random) {
      lines[0] = "DUE" + lines[0].dropFirst("DTSTART".count)
    }
    let parts = ([lines] + overrides).flatMap { lines in
      ["BEGIN:\(kind.rawValue)", "UID:item-\(number)", "DTSTAMP:20260101T000000Z"] + lines
        + ["END:\(kind.rawValue)"]
    }
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"] + parts
      + ["END:VCALENDAR"]
    return TestItem.parse(text.map { $0 + "\r\n" }.joined())
  }

  private static func rule(
    _ day: Int, _ form: Int, _ random: inout SeededGenerator
  ) -> String {
    let frequency =
      ["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY"].randomElement(using: &random) ?? "DAILY"
    var rule = "FREQ=\(frequency);INTERVAL=\(Int.random(in: 1...13, using: &random))"
    if Int.random(in: 0..<3, using: &random) == 0 {
      rule +=
        [";BYDAY=MO,SU", ";BYMONTHDAY=31", ";BYMONTH=2;BYMONTHDAY=29", ";BYSETPOS=1;BYDAY=FR"]
        .randomElement(using: &random) ?? ""
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: rule += ";COUNT=\(Int.random(in: 1...12, using: &random))"
    case 1:
      let until = time(day + Int.random(in: -10...900, using: &random), form == 0 ? 0 : 1, &random)
      rule += ";UNTIL=" + (until.split(separator: ":").last ?? "")
    default: break
    }
    return rule
  }

  private static func time(_ day: Int, _ form: Int, _ random: inout SeededGenerator) -> String {
    let instant = Instant(secondsSinceEpoch: start + Int64(day) * 86_400)
    let date = instant.civil().map { "\($0.date)" } ?? ""
    let hour = Int.random(in: 0...23, using: &random)
    let time = "\(date)T\(hour < 10 ? "0" : "")\(hour)0000"
    switch form {
    case 0: return ";VALUE=DATE:\(date)"
    case 1: return ":\(time)Z"
    case 2: return ":\(time)"
    case 3: return ";TZID=Pacific/Kiritimati:\(time)"
    default: return ";TZID=America/Los_Angeles:\(time)"
    }
  }
}
