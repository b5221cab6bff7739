// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Imports into folders and files, exports and comparisons.
struct ImportTests {
  private let folder: TemporaryFolder
  private var machine = Machine.live()

  init() throws {
    folder = try TemporaryFolder()
    machine.environment["XDG_STATE_HOME"] = folder.path(of: "state")
    machine.now = { Instant(secondsSinceEpoch: 1_767_225_600) }
  }

  private var tour: String { Fixture.root.appending(path: "tour").path() }

  private func input(_ name: String) -> CalendarLocation {
    CalendarLocation(path: folder.path(of: name))
  }

  private func run(
    _ paths: [String], into calendar: CalendarLocation?, isDryRun: Bool = false
  ) async throws -> (summary: ImportSummary, events: [ImportEvent]) {
    var events: [ImportEvent] = []
    let request = ImportRequest(paths, into: calendar, isDryRun: isDryRun)
    let summary = try await CalendarImport.run(request, machine: machine) { events.append($0) }
    return (summary, events)
  }

  @Test(arguments: ["home", "home.ics"])
  func importAddsOnceAndThenChangesNothing(name: String) async throws {
    let first = try await run([tour], into: input(name))
    #expect(first.summary[.added] > 5)
    #expect(first.summary[.rejected] == 0)
    #expect(first.summary.calendarCount == 4)
    #expect(first.summary.outcome == .complete)
    let titles = first.events.compactMap { event in
      if case .item(let item) = event { item.title } else { nil }
    }
    #expect(titles.contains("Budget review"))
    let second = try await run([tour], into: input(name))
    #expect(second.summary[.added] == 0 && second.summary[.updated] == 0)
    #expect(second.summary[.unchanged] == first.summary[.added])
  }

  @Test("New items of kinds that the calendar is not for are rejected, and stored ones updated")
  func importOfOtherKinds() async throws {
    func text(_ title: String) -> String {
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Test//EN\r
      BEGIN:VTODO\r\nUID:t\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:\(title)\r\nEND:VTODO\r
      BEGIN:VEVENT\r\nUID:e\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260102T030405Z\r
      END:VEVENT\r\nBEGIN:VJOURNAL\r\nUID:j\r\nDTSTAMP:20260101T000000Z\r\nEND:VJOURNAL\r
      END:VCALENDAR\r\n
      """
    }
    try folder.write(text("Milk").utf8, to: "a.ics")
    try folder.write(text("Bread").utf8, to: "b.ics")
    func run(_ file: String, for kinds: Set<ItemKind>?) async throws -> [String] {
      var request = ImportRequest([folder.path(of: file)], into: input("home"))
      request.kinds = kinds
      var lines: [String] = []
      try await CalendarImport.run(request, machine: machine) { event in
        guard case .item(let item) = event else { return }
        lines.append("\(item.uid) \(item.outcome.rawValue)\(item.reason.map { ": \($0)" } ?? "")")
      }
      return lines.sorted()
    }
    #expect(
      try await run("a.ics", for: [.event])
        == ["e added", "j added", "t rejected: the calendar is not for VTODO"])
    #expect(try await run("a.ics", for: nil) == ["e unchanged", "j unchanged", "t added"])
    #expect(try await run("b.ics", for: [.event]) == ["e unchanged", "j unchanged", "t updated"])
  }

  @Test("Of two files with another version of one item, the one that is not stored is named")
  func importOfTwoVersions() async throws {
    for number in 1...2 {
      try folder.write(
        TestItem.text(uid: "q", summary: "File \(number)").utf8, to: "\(number).ics")
    }
    let paths = ["1.ics", "2.ics"].map { folder.path(of: $0) }
    let result = try await run(paths, into: input("home"))
    #expect(result.summary[.added] == 1 && result.summary[.older] == 1)
    let older = result.events.compactMap { event -> String? in
      guard case .item(let item) = event, item.outcome == .older else { return nil }
      return item.title
    }
    #expect(older == ["File 1"])
    let again = try await run([paths[1], paths[1]], into: input("home"))
    #expect(again.summary[.older] == 0)
  }

  @Test("Items of several batches are all written, into a folder and into a file")
  func importInBatches() async throws {
    let events = (0..<1200).flatMap { number in
      [
        "BEGIN:VEVENT", "UID:\(number)@example.org", "DTSTAMP:20260101T000000Z",
        "DTSTART:20260401T090000Z", "SUMMARY:Event \(number)", "END:VEVENT",
      ]
    }
    let path = try folder.write(
      lines: ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN"] + events
        + ["END:VCALENDAR"], to: "many.ics")
    for name in ["home", "home.ics"] {
      #expect(try await run([path], into: input(name)).summary[.added] == 1200)
      #expect(try await run([path], into: input(name)).summary[.unchanged] == 1200)
    }
  }

  @Test func dryRunWritesNothing() async throws {
    let result = try await run([tour], into: input("home"), isDryRun: true)
    #expect(result.summary[.added] > 5)
    #expect(try folder.names().isEmpty)
  }

  @Test func changedItemIsUpdatedAndOlderOneIsNot() async throws {
    func version(_ sequence: Int, _ summary: String) throws -> String {
      try folder.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:a@example.org",
          "DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z", "SEQUENCE:\(sequence)",
          "SUMMARY:\(summary)", "END:VEVENT", "END:VCALENDAR",
        ], to: "\(sequence).ics")
    }
    _ = try await run([version(1, "Tea")], into: input("home"))
    #expect(try await run([version(2, "Cake")], into: input("home")).summary[.updated] == 1)
    let old = try await run([version(0, "Bread")], into: input("home"))
    #expect(old.summary[.older] == 1)
    let writing = try await CalendarWriting(of: input("home"), machine: machine)
    #expect(writing.items.map(\.title) == ["Cake"])
  }

  @Test func aFolderWithoutCalendarFilesIsReported() async throws {
    try folder.makeFolder("X.icbu/Sources")
    let path = folder.path(of: "X.icbu")
    let result = try await run([path], into: nil, isDryRun: true)
    #expect(result.summary.outcome == .nothing)
    #expect(
      result.events.contains(
        .file(.unreadable(path: path, reason: "the folder contains no calendar file"))))
  }

  @Test func unreadableFilesArePartial() async throws {
    let page = try folder.write("<p>".utf8, to: "page.html")
    let result = try await run([tour, page, "/nowhere.ics"], into: nil, isDryRun: true)
    #expect(result.summary.unreadCount == 2)
    #expect(result.summary.outcome == .partial)
    #expect(result.events.contains(.file(.notCalendar(path: page))))
  }

  @Test(arguments: [
    ("VEVENT", ["DTSTART:2026-12-07 10:00"], "a time of it cannot be read"),
    ("VEVENT", ["DTSTART;TZID=Europe/Berlin:20261307T100000"], "a time of it cannot be read"),
    ("VTODO", ["DUE:tomorrow"], "a time of it cannot be read"), ("VEVENT", [], "it has no start"),
    ("VEVENT", ["DTSTART:20261207T100000"], nil), ("VTODO", [], nil),
  ]) func anItemThatNoViewShowsIsNamed(kind: String, times: [String], reason: String?) async throws
  {
    let path = try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:\(kind)", "UID:a@example.org",
        "DTSTAMP:20260101T000000Z", "SUMMARY:Tea",
      ] + times + ["END:\(kind)", "END:VCALENDAR"], to: "undated.ics")
    let result = try await run([path], into: input("home"))
    #expect(result.summary[.added] == 1)
    #expect(result.summary.outcome == .complete)
    let reasons = result.events.compactMap { event in
      if case .item(let item) = event { item.reason } else { nil }
    }
    #expect(reasons == (reason.map { ["\($0), so that no view by days shows it"] } ?? []))
  }

  @Test func replyChangesTheAnswerOfAnAttendee() async throws {
    func message(_ method: String, _ status: String) throws -> String {
      try folder.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "METHOD:\(method)", "BEGIN:VEVENT",
          "UID:a@example.org", "DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z",
          "SUMMARY:Tea", "ORGANIZER:mailto:ada@example.org",
          "ATTENDEE;PARTSTAT=\(status):mailto:bela@example.org", "END:VEVENT", "END:VCALENDAR",
        ], to: "\(method).ics")
    }
    _ = try await run([message("REQUEST", "NEEDS-ACTION")], into: input("home"))
    let reply = try await run([message("REPLY", "ACCEPTED")], into: input("home"))
    #expect(reply.summary[.updated] == 1)
    let reasons = reply.events.compactMap { event in
      if case .item(let item) = event { item.reason } else { nil }
    }
    #expect(reasons.first?.contains("bela@example.org answers ACCEPTED") == true)
  }

  // MARK: Exports and comparisons

  @Test func exportHasEachZoneOnce() async throws {
    _ = try await run([tour], into: input("home"))
    let writing = try await CalendarWriting(of: input("home"), machine: machine)
    try writing.write(to: folder.path(of: "all.ics"))
    let file = try CalendarFile(contentsOf: folder.path(of: "all.ics"))
    #expect(file.items.count == writing.items.count)
    let zones = file.components.filter { $0.name == .timeZone }.compactMap { $0[.tzID]?.text }
    #expect(zones == Array(Set(zones)).sorted())
    let comparison = try CalendarComparison(
      from: ItemCollection(contentsOf: folder.path(of: "home")),
      to: ItemCollection(contentsOf: folder.path(of: "all.ics")), normalForm: machine.normalForm)
    #expect(comparison.isEmpty)
  }

  private func exported(_ calendar: CalendarLocation) async throws -> [String] {
    let writing = try await CalendarWriting(of: calendar, machine: machine)
    var bytes: [UInt8] = []
    try writing.write { bytes += $0 }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    return lines.filter {
      !["BEGIN", "END", "VERSION", "PRODID"].contains($0.prefix { $0 != ":" })
    }
  }

  @Test("An export has the title, the colour and the description of a folder")
  func exportedHeading() async throws {
    _ = try await run([tour], into: input("home"))
    for (name, text) in [
      ("displayname", "At home, mostly\n"), ("color", "#ff0000\n"), ("description", "Ours"),
    ] {
      _ = try folder.write(lines: [text], to: "home/\(name)")
    }
    let lines = try await exported(input("home"))
    #expect(
      lines.prefix(6) == [
        "NAME:At home\\, mostly", "X-WR-CALNAME:At home\\, mostly", "DESCRIPTION:Ours",
        "X-WR-CALDESC:Ours", "COLOR:red", "X-APPLE-CALENDAR-COLOR:#FF0000",
      ])
    // RFC 7986 §5.9 has names only.
    _ = try folder.write(lines: ["#102030FF"], to: "home/color")
    let colors = try await exported(input("home")).filter { $0.contains("COLOR") }
    #expect(colors == ["X-APPLE-CALENDAR-COLOR:#102030"])
  }

  @Test("An export of a file has its title, its colour and its description as they are")
  func exportedHeadingOfFile() async throws {
    let heading = ["NAME;LANGUAGE=de:Ferien", "X-WR-CALNAME:Ferien", "COLOR:navy"]
    let path = try folder.write(
      lines: ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "METHOD:PUBLISH"] + heading + [
        "BEGIN:VEVENT", "UID:a@example.org", "DTSTAMP:20260101T000000Z",
        "DTSTART:20260301T090000Z", "END:VEVENT", "END:VCALENDAR",
      ], to: "ferien.ics")
    #expect(try await exported(CalendarLocation(path: path)).prefix(3) == heading[...])
  }

  @Test func missingZoneIsDefined() throws {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:a@example.org",
      "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Berlin:20260301T090000",
      "DTEND;TZID=Nowhere/Land:20260301T100000", "END:VEVENT", "END:VCALENDAR", "",
    ]
    let items = try CalendarFile(Array(lines.joined(separator: "\r\n").utf8)).items
    let writing = CalendarWriting(items, machine: machine)
    var bytes: [UInt8] = []
    try writing.write { bytes += $0 }
    let zones = try CalendarFile(bytes).components.filter { $0.name == .timeZone }
    #expect(zones.compactMap { $0[.tzID]?.text } == ["Europe/Berlin"])
    #expect(writing.undefinedZones.count == 1)
  }

  @Test func missingCalendarIsAnError() async throws {
    await #expect(throws: EpactError.self) {
      try await CalendarWriting(of: CalendarLocation(path: "/nowhere"), machine: machine)
    }
  }
}
