// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import TestSupport
import Testing

@Suite struct FileCalendarTests {
  let folder: TemporaryFolder
  let calendar: FileCalendar

  init() throws {
    folder = try TemporaryFolder()
    calendar = try FileCalendar(path: folder.path(of: "a.ics"), for: .writing)
  }

  private func write(_ lines: [String]) throws {
    try folder.write(lines: lines, to: "a.ics")
  }

  private func text() throws -> String {
    String(decoding: try folder.bytes(of: "a.ics"), as: UTF8.self)
  }

  private func change(_ uid: String, to components: [String]...) async throws -> LocalOutcome? {
    let entry = try await calendar.scan().entry(uid)
    let item = try CalendarItem(
      parsing: SampleItem.bytes(SampleItem.calendar(components.flatMap { $0 })))
    return try await calendar.apply([.update(name: uid, from: entry.revision, to: item)]).first
  }

  @Test func componentsOfOneUIDAreOneItemWhereverTheyStand() async throws {
    let override = ["RECURRENCE-ID:20260302T120000Z"]
    try write(
      SampleItem.calendar(
        SampleItem.event("a", "override", extra: override), SampleItem.event("b"),
        SampleItem.event("a", "main")))
    let listing = try await calendar.scan()
    #expect(listing.uids == ["a", "b"])
    #expect(try listing.entry("a").item.components.count == 2)
    #expect(try listing.entry("a").item.title == "main")
    #expect(try listing.entry("a").name == "a")
  }

  @Test func aScatteredItemIsChangedAndDeletedAsAWhole() async throws {
    let override = SampleItem.event("a", "override", extra: ["RECURRENCE-ID:20260302T120000Z"])
    try write(SampleItem.calendar(override, SampleItem.event("b"), SampleItem.event("a")))
    #expect(try await change("a", to: SampleItem.event("a", "Dinner"))?.isDone == true)
    #expect(try await calendar.scan().uids == ["a", "b"])
    #expect(
      try folder.bytes(of: "a.ics")
        == SampleItem.bytes(
          SampleItem.calendar(SampleItem.event("a", "Dinner"), SampleItem.event("b"))))
    try write(SampleItem.calendar(override, SampleItem.event("b"), SampleItem.event("a")))
    let entry = try await calendar.scan().entry("a")
    _ = try await calendar.apply([.delete(name: "a", from: entry.revision)])
    #expect(
      try folder.bytes(of: "a.ics") == SampleItem.bytes(SampleItem.calendar(SampleItem.event("b"))))
  }

  @Test func anItemHoldsTheTimeZonesItUsesAndNoOther() async throws {
    try write(
      SampleItem.calendar(
        SampleItem.zone("Y"), SampleItem.zone("X"), SampleItem.event("a", in: "X"),
        SampleItem.event("b"), properties: ["METHOD:PUBLISH", "X-WR-CALNAME:Mine"]))
    let entry = try await calendar.scan().entry("a")
    #expect(
      entry.item.serialized()
        == SampleItem.bytes(
          SampleItem.calendar(SampleItem.zone("X"), SampleItem.event("a", in: "X"))))
  }

  @Test func onlyTheChangedItemIsWrittenAnew() async throws {
    let untouched = [
      "begin:vevent", "uid:b", "DTSTAMP:20260102T030405Z", "summary;X-P=\"q\":Folded at a",
      "  place",
      "X-UNKNOWN;A=1:\\q", "DTSTART:20260301T120000Z", "end:vevent",
    ]
    let strangers = [
      "BEGIN:X-THING", "A:1", "END:X-THING", "BEGIN:VEVENT", "SUMMARY:without UID", "END:VEVENT",
    ]
    let head = ["METHOD:PUBLISH", "X-WR-CALNAME:Mine", "not a content line"]
    try write(
      SampleItem.calendar(SampleItem.event("a"), untouched, strangers, properties: head))
    #expect(try await calendar.scan().uids == ["a", "b"])
    #expect(try await change("a", to: SampleItem.event("a", "Dinner"))?.isDone == true)
    #expect(
      try text()
        == String(
          decoding: SampleItem.bytes(
            SampleItem.calendar(
              SampleItem.event("a", "Dinner"), untouched, strangers, properties: head)),
          as: UTF8.self))
  }

  @Test func changedPartsHaveTheLineEndsOfTheFile() async throws {
    let lines = SampleItem.calendar(SampleItem.event("a"), SampleItem.event("b"))
    try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "a.ics")
    #expect(try await change("a", to: SampleItem.event("a", "Dinner"))?.isDone == true)
    let text = try text()
    #expect(text.contains("SUMMARY:Lunch\nEND:VEVENT\n"))
    #expect(text.contains("SUMMARY:Dinner\nEND:VEVENT\n"))
    #expect(!text.utf8.contains(13))
  }

  @Test func whatChangesNothingWritesNothing() async throws {
    try write(SampleItem.calendar(SampleItem.event("a")) + ["", ""])
    let before = try folder.bytes(of: "a.ics")
    _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    #expect(try folder.bytes(of: "a.ics") == before)
  }

  @Test func anotherCalendarInTheFileStaysByteForByte() async throws {
    let second = SampleItem.calendar(SampleItem.event("b"), [""], properties: ["", "METHOD:ADD"])
    try write(SampleItem.calendar(SampleItem.event("a")) + second)
    #expect(try await calendar.scan().uids == ["a", "b"])
    #expect(try await change("a", to: SampleItem.event("a", "Dinner"))?.isDone == true)
    #expect(try text().hasSuffix(String(decoding: SampleItem.bytes(second), as: UTF8.self)))
  }

  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]
    let message: String
  }

  private static let whole = SampleItem.calendar(SampleItem.event("a"), SampleItem.event("b"))

  @Test(arguments: [
    Damage(
      testDescription: "empty", lines: [],
      message: "the file is empty, as after a power failure; delete it to start a new calendar"),
    Damage(
      testDescription: "a page", lines: ["<html>"],
      message: "1:1: expected BEGIN:VCALENDAR, found something outside of any component"),
    Damage(
      testDescription: "empty lines", lines: ["", ""],
      message: "1:1: expected BEGIN:VCALENDAR, found no calendar"),
    Damage(
      testDescription: "cut in an event", lines: Array(whole.dropLast(3)),
      message:
        "expected END:VEVENT for the VEVENT that begins in line 10, found the end of the file"
    ),
    Damage(
      testDescription: "cut between events", lines: Array(whole.dropLast(7)),
      message: "expected END:VCALENDAR, found the end of the file"),
    Damage(
      testDescription: "a lost beginning", lines: Array(whole.prefix(3) + whole.dropFirst(4)),
      message: "expected END:VCALENDAR, found END:VEVENT, which ends nothing"),
  ])
  func aDamagedFileIsAnErrorAndIsNotWritten(row: Damage) async throws {
    try write(row.lines)
    let before = try folder.bytes(of: "a.ics")
    let error = await #expect(throws: StoreError.self) { try await calendar.scan() }
    #expect(error?.code == .notCalendar)
    #expect(error?.message.hasSuffix(row.message) == true, "\(error as Any)")
    await #expect(throws: StoreError.self) {
      try await calendar.apply([.create(SampleItem.item(SampleItem.event("c")))])
    }
    #expect(try folder.bytes(of: "a.ics") == before)
    #expect(try folder.names() == ["a.ics"])
  }

  @Test func aMissingFileIsAnEmptyCalendar() async throws {
    #expect(try await calendar.scan().uids == [])
    #expect(
      try await calendar.apply([.delete(name: "a", from: Revision(""))]) == [.conditionFailed])
    #expect(try folder.names() == [])
    _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    #expect(
      try text().hasPrefix(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Epact//Epact//EN\r\nBEGIN:V"))
    #expect(try await calendar.scan().uids == ["a"])
  }

  @Test func componentsThatAreNoOneItemAreUnreadable() async throws {
    let reminder = SampleItem.event("a").map { $0.replacing("VEVENT", with: "VTODO") }
    try write(SampleItem.calendar(SampleItem.event("a"), reminder, SampleItem.event("b")))
    let listing = try await calendar.scan()
    #expect(listing.uids == ["b"])
    #expect(
      listing.unreadable == [
        UnreadableEntry(name: "a", reason: "10:1: expected only VEVENT, found VTODO too")
      ])
    let outcome = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))]).first
    guard case .failed(let reason)? = outcome else {
      Issue.record("\(outcome as Any)")
      return
    }
    #expect(reason.hasPrefix("'a' is in the way and cannot be read: "))
  }

  @Test func componentsWithoutAUIDAreUnreadable() async throws {
    let unnamed = SampleItem.event("x").filter { !$0.hasPrefix("UID") }
    try write(SampleItem.calendar(unnamed, SampleItem.event("b"), unnamed))
    let listing = try await calendar.scan()
    #expect(listing.uids == ["b"])
    #expect(listing.unreadable.map(\.name) == ["VEVENT 1", "VEVENT 2"])
    #expect(listing.unreadable.allSatisfy { $0.reason.contains("UID") })
    let before = try folder.bytes(of: "a.ics")
    #expect(try await change("b", to: SampleItem.event("b"))?.isDone == true)
    #expect(try folder.bytes(of: "a.ics") == before)
  }

  @Test func timeZonesComeAndGoWithTheItemsThatUseThem() async throws {
    try write(
      SampleItem.calendar(
        SampleItem.zone("X"), SampleItem.event("a", in: "X"), SampleItem.event("b")))
    #expect(
      try await change("b", to: SampleItem.zone("Y"), SampleItem.event("b", in: "Y"))?.isDone
        == true)
    #expect(
      try folder.bytes(of: "a.ics")
        == SampleItem.bytes(
          SampleItem.calendar(
            SampleItem.zone("X"), SampleItem.zone("Y"), SampleItem.event("a", in: "X"),
            SampleItem.event("b", in: "Y"))))
    let entry = try await calendar.scan().entry("a")
    _ = try await calendar.apply([.delete(name: "a", from: entry.revision)])
    #expect(
      try folder.bytes(of: "a.ics")
        == SampleItem.bytes(
          SampleItem.calendar(SampleItem.zone("Y"), SampleItem.event("b", in: "Y"))))
  }

  @Test func aDefinitionThatOthersUseStays() async throws {
    let events = [SampleItem.event("a", in: "X"), SampleItem.event("b", in: "X")]
    try write(SampleItem.calendar(SampleItem.zone("X"), events[0], events[1]))
    let other = SampleItem.zone("X", offset: "+0200")
    #expect(try await change("b", to: other, events[1])?.isDone == true)
    #expect(try text().contains("TZOFFSETTO:+0100"))
    let entry = try await calendar.scan().entry("a")
    _ = try await calendar.apply([.delete(name: "a", from: entry.revision)])
    #expect(try await change("b", to: other, events[1])?.isDone == true)
    #expect(try text().contains("TZOFFSETTO:+0200"))
    #expect(try !text().contains("TZOFFSETTO:+0100"))
  }

  @Test func aBatchOfAThousandChangesIsOneRewriting() async throws {
    let creations = try (0..<1000).map {
      LocalChange.create(try SampleItem.item(SampleItem.event("\($0)")))
    }
    let outcomes = try await calendar.apply(creations)
    let listing = try await calendar.scan()
    #expect(listing.entries.count == 1000)
    #expect(outcomes.compactMap(\.revision) == listing.entries.map(\.revision))
    let deletions = listing.entries.dropFirst().map {
      LocalChange.delete(name: $0.name, from: $0.revision)
    }
    #expect(try await calendar.apply(Array(deletions)).filter(\.isDone).count == 999)
    #expect(try await calendar.scan().uids == ["0"])
  }

  @Test("The name of a deleted item is free for a creation in the same batch")
  func aDeletedNameIsFreeInTheSameBatch() async throws {
    try write(SampleItem.calendar(SampleItem.event("a"), SampleItem.event("b")))
    let entry = try await calendar.scan().entry("a")
    let outcomes = try await calendar.apply([
      .delete(name: "a", from: entry.revision),
      .create(SampleItem.item(SampleItem.event("a", "Dinner"))),
    ])
    #expect(outcomes.filter(\.isDone).count == 2)
    let listing = try await calendar.scan()
    #expect(listing.entries.count == 2)
    #expect(try listing.entry("a").item.title == "Dinner")
  }

  @Test func aLinkToACalendarIsThatCalendar() async throws {
    try write(SampleItem.calendar(SampleItem.event("a")))
    let place = try TemporaryFolder()
    try place.link("mine.ics", to: folder.path(of: "a.ics"))
    let linked = try LocalCalendars.open(path: place.path(of: "mine.ics"), for: .writing)
    #expect(linked.location == calendar.location)
    _ = try await linked.apply([.create(SampleItem.item(SampleItem.event("b")))])
    #expect(try await calendar.scan().uids == ["a", "b"])
    #expect(try place.names() == ["mine.ics"])
  }
}
