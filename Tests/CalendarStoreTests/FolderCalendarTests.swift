// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct FolderCalendarTests {
  let folder: TemporaryFolder
  let calendar: FolderCalendar

  init() throws {
    folder = try TemporaryFolder()
    calendar = try FolderCalendar(path: folder.path, for: .writing)
  }

  private func write(_ uid: String, _ summary: String = "Lunch", to name: String) throws {
    try folder.write(lines: SampleItem.calendar(SampleItem.event(uid, summary)), to: name)
  }

  @Test func onlyFilesOfTheRightEndingAreItems() async throws {
    try write("a", to: "b.ics")
    try write("b", to: "a.ICS")
    for name in [".hidden.ics", "x.ics.tmp", "displayname", "color", "notes.txt", "ics"] {
      try write("no-\(name)", to: name)
    }
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "folder.ics"), withIntermediateDirectories: false)
    let listing = try await calendar.scan()
    #expect(listing.entries.map(\.name) == ["a.ICS", "b.ics"])
    #expect(listing.unreadable == [])
  }

  struct Unreadable: CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let reason: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Unreadable(name: "empty", lines: [], reason: "the file is empty, as after a power failure"),
    Unreadable(
      name: "page", lines: ["<!DOCTYPE html>"],
      reason: "1:1: expected BEGIN:VCALENDAR, found no calendar"),
    Unreadable(
      name: "several", lines: SampleItem.calendar(SampleItem.event("a"), SampleItem.event("b")),
      reason: "10:1: expected the UID 'a' in every component, found 'b' too"),
    Unreadable(
      name: "cut", lines: Array(SampleItem.calendar(SampleItem.event("a")).dropLast(2)),
      reason: "expected END:VEVENT for the VEVENT that begins in line 4, found the end of the file"),
    Unreadable(
      name: "none", lines: SampleItem.calendar([]),
      reason: "expected an event, a reminder or a journal entry, found none"),
  ])
  func aFileThatIsNotOneItemIsNamedWithTheReason(row: Unreadable) async throws {
    try folder.write(lines: row.lines, to: "x.ics")
    let listing = try await calendar.scan()
    #expect(listing.uids == [])
    #expect(listing.unreadable.map(\.name) == ["x.ics"])
    #expect(listing.unreadable.first?.reason.hasSuffix(row.reason) == true, "\(listing.unreadable)")
  }

  @Test func linksAndPipesAreUnreadableAndNotFollowed() async throws {
    let outside = try TemporaryFolder()
    try outside.write(lines: SampleItem.calendar(SampleItem.event("a")), to: "a.ics")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "link.ics"), withDestinationPath: outside.path(of: "a.ics"))
    let made = unsafe mkfifo(folder.path(of: "pipe.ics"), 0o600)
    #expect(made == 0)
    let listing = try await calendar.scan()
    #expect(
      listing.unreadable == [
        UnreadableEntry(name: "link.ics", reason: "a symbolic link, which is not followed"),
        UnreadableEntry(name: "pipe.ics", reason: "not a regular file"),
      ])
    let item = try SampleItem.item(SampleItem.event("a", "Dinner"))
    let revision = Revision(String(repeating: "0", count: 64))
    let outcomes = try await calendar.apply([
      .update(name: "link.ics", from: revision, to: item),
      .delete(name: "link.ics", from: revision),
    ])
    #expect(outcomes == [.conditionFailed, .conditionFailed])
    #expect(try outside.names() == ["a.ics"])
  }

  @Test func aNameThatIsNotUTF8IsUnreadable() async throws {
    let path = Array(folder.path(of: "").utf8) + [0xFF] + Array(".ics".utf8)
    let descriptor = unsafe open(
      path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    close(descriptor)
    let listing = try await calendar.scan()
    #expect(
      listing.unreadable == [
        UnreadableEntry(name: "\u{FFFD}.ics", reason: "the name of the file is not UTF-8")
      ])
  }

  @Test func ofTwoFilesWithOneUIDTheFirstByNameIsTheItem() async throws {
    try write("a", "second", to: "b.ics")
    try write("a", "first", to: "a.ics")
    let listing = try await calendar.scan()
    #expect(listing.entries.map(\.item.title) == ["first"])
    #expect(
      listing.unreadable == [
        UnreadableEntry(
          name: "b.ics", reason: "holds the UID 'a', which a.ics holds already",
          sharedUID: UID("a"))
      ])
  }

  /// Names of copies, of which the byte order is not that of the original and the copy.
  private static let copies = [
    "a (copy).ics", "a (1).ics", "a - Copy.ics", "a copy.ics", "a-HOST.ics", "0a.ics",
    "a (conflicted copy 2026-11-26 165400).ics", "a (Ada's conflicted copy 2026-11-26).ics",
    "a.sync-conflict-20261126-165400-ABCDEFG.ics", "a_backup.ics", "Copy of a.ics",
  ]

  @Test(arguments: copies)
  func theFileThatNoCopyIsNamedAfterIsTheItem(copy: String) async throws {
    try write("a", "copy", to: copy)
    try write("a", "first", to: "a.ics")
    let listing = try await calendar.scan()
    #expect(listing.entries.map(\.name) == ["a.ics"])
    #expect(listing.unreadable == [UnreadableEntry(copy, sharing: UID("a"), with: "a.ics")])
    let survey = try await calendar.survey(
      since: nil, in: NormalForm(), at: Instant(secondsSinceEpoch: 0))
    #expect(survey.records().map(\.name) == ["a.ics"])
    #expect(survey.unreadable == listing.unreadable)
  }

  @Test(arguments: copies)
  func theFileThatASyncKnowsIsTheItem(copy: String) async throws {
    try write("a", "first", to: "a.ics")
    let later = Instant(secondsSinceEpoch: 4_000_000_000)
    let ledger = folder.path(of: "ledger.sqlite")
    let known = try FolderCalendar(
      path: folder.path, for: .writing, knowing: KnownNames(ledger: ledger))
    let snapshot = try await known.survey(since: nil, in: NormalForm(), at: later).snapshot
    try write("a", "copy", to: copy)
    // Without a ledger, the names decide.
    #expect(try await known.scan().entries.map(\.name) == ["a.ics"])
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "other"), withIntermediateDirectories: false)
    try await remember("a", as: copy, in: folder.path(of: "other"))
    #expect(try await known.scan().entries.map(\.name) == ["a.ics"], "of another folder")
    try await remember("a", as: copy, in: known.location)
    let listing = try await known.scan()
    #expect(listing.entries.map(\.name) == [copy])
    #expect(listing.unreadable == [UnreadableEntry("a.ics", sharing: UID("a"), with: copy)])
    let survey = try await known.survey(since: snapshot, in: NormalForm(), at: later)
    #expect(survey.records().map(\.name) == [copy])
    #expect(survey.records(of: [UID("a")]).map(\.name) == [copy])
    #expect(survey.unreadable == listing.unreadable)
    #expect(survey.changes == nil)
  }

  /// Records that a sync knows an item under a name, on its remote side.
  private func remember(_ uid: String, as name: String, in location: String) async throws {
    let ledger = try LedgerDatabase(path: folder.path(of: "ledger.sqlite"))
    let binding = SyncBinding(
      name: location, local: "/elsewhere",
      remote: RemoteIdentity(kind: "folder", location: location))
    let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: 0))
    let entry = LedgerEntry(
      uid: UID(uid), localName: "\(uid).ics", localBase: Fingerprint("1"), href: Href(name),
      etag: nil, remoteBase: Fingerprint("1"), base: nil)
    try await ledger.settle([Settlement(uid: UID(uid), change: .record(entry))], in: run)
  }

  @Test func aFileKeepsItsNameAndOthersAreNotTouched() async throws {
    try write("a", to: "my own name.ics")
    try write("b", to: "other.ics")
    let before = try status(of: "other.ics")
    let entry = try await calendar.scan().entry("a")
    let item = try SampleItem.item(SampleItem.event("a", "Dinner"))
    let outcome = try await calendar.apply([
      .update(name: entry.name, from: entry.revision, to: item)
    ])
    #expect(outcome.first?.isDone == true)
    #expect(try folder.names() == ["my own name.ics", "other.ics"])
    #expect(try status(of: "other.ics") == before)
  }

  @Test func aNewItemGetsANameOfItsUID() async throws {
    let outcomes = try await calendar.apply([
      .create(SampleItem.item(SampleItem.event("../../etc/passwd"))),
      .create(SampleItem.item(SampleItem.event("me@example.org"))),
    ])
    #expect(outcomes.map(\.isDone) == [true, true])
    let expected = ["../../etc/passwd", "me@example.org"].map { ItemName(of: UID($0)).rawValue }
    #expect(try folder.names() == expected.sorted())
  }

  @Test func anotherItemOfThatNameIsNotOverwritten() async throws {
    try write("other", to: "a.ics")
    let outcomes = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    #expect(outcomes.first?.isDone == true)
    #expect(try folder.names() == ["a-2.ics", "a.ics"])
    #expect(try await calendar.scan().uids == ["a", "other"])
  }

  @Test func anUnreadableFileOfThatNameIsNotOverwritten() async throws {
    try folder.write([], to: "a.ics")
    let outcomes = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    #expect(
      outcomes == [
        .failed(
          reason: "a.ics is in the way and cannot be read: "
            + "the file is empty, as after a power failure")
      ])
    #expect(try folder.bytes(of: "a.ics") == [])
  }

  @Test(arguments: ["../a.ics", "x/a.ics", "", ".", "..", "a\0.ics"])
  func aNameNeverLeadsOutOfTheFolder(name: String) async throws {
    let inner = folder.path(of: "inner")
    let calendar = try FolderCalendar(path: inner, for: .creating)
    try write("a", to: "a.ics")
    let bytes = try folder.bytes(of: "a.ics")
    let revision = Revision(SHA256.digest(of: bytes).description)
    let item = try SampleItem.item(SampleItem.event("a", "Dinner"))
    for change in [
      LocalChange.delete(name: name, from: revision),
      .update(name: name, from: revision, to: item),
    ] {
      let outcome = try await calendar.apply([change])
      #expect(outcome.first?.isDone == false)
    }
    #expect(try folder.bytes(of: "a.ics") == bytes)
  }

  @Test func leftOverFilesOfAKilledRunGoAndOthersStay() async throws {
    try folder.write([1], to: ".epact-abc.tmp")
    for name in [".other.tmp", ".epact-abc", "epact-abc.tmp"] { try folder.write([1], to: name) }
    let living = try AtomicFile(replacing: folder.path(of: "x.ics"), permissions: .shared)
    try living.write([2])
    let reader = try FolderCalendar(path: folder.path, for: .reading)
    _ = try await reader.scan()
    #expect(try folder.names().contains(".epact-abc.tmp"))
    _ = try await calendar.scan()
    #expect(try !folder.names().contains(".epact-abc.tmp"))
    #expect(try folder.names().count == 4)
    try living.commit()
    #expect(try folder.names() == [".epact-abc", ".other.tmp", "epact-abc.tmp", "x.ics"])
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskIsToldOfTheFolder() async throws {
    let disk = try SmallDisk(kilobytes: 16)
    let calendar = try FolderCalendar(path: disk.path, for: .writing)
    let large = SampleItem.event("b", String(repeating: "x", count: 100_000))
    let outcomes = try await calendar.apply([
      .create(SampleItem.item(SampleItem.event("a"))), .create(SampleItem.item(large)),
      .create(SampleItem.item(SampleItem.event("c"))),
    ])
    #expect(outcomes.map(\.isDone) == [true, false, true])
    guard case .unavailable(let reason)? = outcomes.dropFirst().first else {
      Issue.record("a full disk is put down to the item")
      return
    }
    #expect(reason.hasSuffix(": cannot write: No space left on device"))
    #expect(try disk.names() == ["a.ics", "c.ics"])

    let entry = try await calendar.scan().entry("a")
    let update = LocalChange.update(
      name: "a.ics", from: entry.revision,
      to: try SampleItem.item(SampleItem.event("a", String(repeating: "x", count: 100_000))))
    guard case .unavailable? = try await calendar.apply([update]).first else {
      Issue.record("a full disk is put down to the item")
      return
    }
    #expect(try disk.names() == ["a.ics", "c.ics"])
    #expect(try await calendar.scan().entry("a").revision == entry.revision)
  }

  @Test func anAppenderAddsOnceAndNeverOverwrites() async throws {
    let appender = try FolderAppender(path: folder.path)
    let item = try SampleItem.item(SampleItem.event("a"))
    #expect(try await appender.append(item) == .added(href: Href("a.ics"), etag: nil))
    let other = try SampleItem.item(SampleItem.event("a", "Dinner"))
    #expect(try await appender.append(other) == .alreadyPresent(href: Href("a.ics")))
    #expect(try await calendar.scan().entry("a").item.title == "Lunch")
    #expect(!(appender as any Sendable is any LocalCalendar))
  }

  private func status(of name: String) throws -> [Int] {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: name))
    let modified = attributes[.modificationDate] as? Date
    return [
      (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0,
      Int((modified?.timeIntervalSince1970 ?? 0) * 1000),
    ]
  }
}
