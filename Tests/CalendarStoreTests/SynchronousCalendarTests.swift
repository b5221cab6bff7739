// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

/// The synchronous access to local calendars: no test here suspends.
@Suite struct SynchronousCalendarTests {
  let folder: TemporaryFolder
  let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func event(_ uid: String) throws -> CalendarItem {
    try SampleItem.item(SampleItem.event(uid))
  }

  @Test func aFolderIsReadAndWritten() throws {
    let calendar = try FolderCalendar(path: folder.path(of: "home"), for: .creating)
    let item = try event("a")
    let outcomes = try calendar.apply([.create(item)])
    #expect(outcomes.map(\.isDone) == [true])
    let listing = try calendar.scan()
    #expect(listing.entries.map(\.name) == ["a.ics"])
    #expect(listing.entries.map(\.item.uid) == [UID("a")])

    let survey = try calendar.survey(since: nil, in: NormalForm(), at: now)
    #expect(survey.records() == listing.entries.map(LocalRecord.init))
    let again = try calendar.survey(since: survey.snapshot, in: NormalForm(), at: now)
    #expect(again.isUnchanged)

    let read = try calendar.read(["a.ics", "b.ics"], in: NormalForm())
    #expect(read.entries == listing.entries)
    #expect(try calendar.read(survey.records(), in: NormalForm()).entries == listing.entries)

    let properties = calendar.folderProperties
    #expect(try properties.set(.name, to: "Home") == .done)
    #expect(try properties.collectionProperties()[.name] == "Home")

    let appender = try FolderAppender(path: folder.path(of: "home"))
    #expect(try appender.append(item) == .alreadyPresent(href: Href("a.ics")))
    #expect(
      try appender.append(event("b")) == .added(href: Href("b.ics"), etag: nil))
  }

  @Test func aFileIsReadAndWritten() throws {
    let calendar = try FileCalendar(path: folder.path(of: "all.ics"), for: .creating)
    let outcomes = try calendar.apply([
      .create(try event("a")), .create(try event("b")),
    ])
    #expect(outcomes.map(\.isDone) == [true, true])
    let listing = try calendar.scan()
    #expect(listing.entries.map(\.name) == ["a", "b"])
    let survey = try calendar.survey(since: nil, in: NormalForm(), at: now)
    #expect(survey.records().map(\.name) == ["a", "b"])
    #expect(try calendar.read(["b", "c"], in: NormalForm()).entries.map(\.name) == ["b"])
    #expect(try calendar.read([], in: NormalForm()).entries == [])
  }

  /// An asynchronous call must not fall back to the defaults of the protocol, which read everything.
  @Test func anAsynchronousCallUsesTheSameFunctions() async throws {
    let calendar = try FolderCalendar(path: folder.path(of: "home"), for: .creating)
    _ = try await calendar.apply([.create(try event("a"))])
    let survey = try await calendar.survey(since: nil, in: NormalForm(), at: now)
    #expect(survey.snapshot != nil)
    let file = try FileCalendar(path: folder.path(of: "all.ics"), for: .creating)
    _ = try await file.apply([.create(try event("a"))])
    #expect(try await file.survey(since: nil, in: NormalForm(), at: now).snapshot != nil)
    #expect(try await file.read(["a"], in: NormalForm()).entries.map(\.name) == ["a"])
  }

  // MARK: Documentation

  /// The code of the landing page.
  private func example(
    path: String, ledgerPath: String, binding: SyncBinding
  ) throws -> (names: [String], conflicts: [StoredConflict]) {
    var names: [String] = []
    func print(_ name: String, _ title: String) { names.append("\(name) \(title)") }
    // example
    let folder = try FolderCalendar(path: path, for: .writing)
    for entry in try folder.scan().entries { print(entry.name, entry.item.title) }

    let ledger = try LedgerDatabase(path: ledgerPath)
    let conflicts = try ledger.read { try $0.conflicts(of: binding) }
    // end
    return (names, conflicts)
  }

  @Test func theExampleOfTheDocumentationIsCompiled() throws {
    let path = folder.path(of: "home")
    _ = try FolderCalendar(path: path, for: .creating).apply([.create(try event("a"))])
    let (names, conflicts) = try example(
      path: path, ledgerPath: folder.path(of: "ledger.sqlite"), binding: LedgerContract.binding)
    #expect(names == ["a.ics Lunch"])
    #expect(conflicts == [])
    let page = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/CalendarStore/CalendarStore.docc/CalendarStore.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: "// example"))
    let code = lines[(start + 1)...].prefix { $0 != "// end" }
    #expect(code.count == 4)
    for line in code { #expect(text.contains(line), "\(line)") }
  }
}
