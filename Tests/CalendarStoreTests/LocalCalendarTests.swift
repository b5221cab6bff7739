// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// What every local calendar does, whether it is a folder, a file, or in one of the databases.
@Suite struct LocalCalendarTests {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case folder, file, sqlite, postgreSQL
    var testDescription: String { rawValue }

    static let inFiles: [Kind] = [.folder, .file]

    var name: String { self == .folder ? "calendar" : "calendar.ics" }
  }

  let folder: TemporaryFolder
  private let homes: [Kind: LedgerHome]

  init() throws {
    folder = try TemporaryFolder()
    homes = [.sqlite: try LedgerHome(.sqlite), .postgreSQL: try LedgerHome(.postgreSQL)]
  }

  private func open(
    _ kind: Kind, for purpose: LocalCalendars.Purpose = .creating
  ) throws -> any LocalCalendar {
    guard let home = homes[kind] else {
      return try LocalCalendars.open(path: folder.path(of: kind.name), for: purpose)
    }
    let names = KnownNames(opening: { () throws(StoreError) in
      try home.openWithoutLease()
    })
    return try LocalCalendars.open(
      path: LocalCalendars.location(inDatabase: "mine"), for: purpose, knowing: names)
  }

  @Test("Only a calendar in one file is rewritten as a whole", arguments: Kind.allCases)
  func rewriting(kind: Kind) async throws {
    #expect(try open(kind).isHandledAsWhole == (kind == .file))
  }

  @Test(arguments: Kind.allCases) func anItemIsCreatedChangedAndDeleted(kind: Kind) async throws {
    let calendar = try open(kind)
    #expect(try await calendar.scan().uids == [])

    let created = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    let first = try await calendar.scan().entry("a")
    #expect(created == [.done(name: first.name, revision: first.revision)])
    #expect(first.item.title == "Lunch")

    let later = try SampleItem.item(SampleItem.event("a", "Dinner"))
    let updated = try await calendar.apply([
      .update(name: first.name, from: first.revision, to: later)
    ])
    let second = try await calendar.scan().entry("a")
    #expect(updated == [.done(name: first.name, revision: second.revision)])
    #expect(second.item.fingerprint == later.fingerprint)

    let deleted = try await calendar.apply([.delete(name: second.name, from: second.revision)])
    #expect(deleted == [.done(name: first.name, revision: nil)])
    #expect(try await calendar.scan().uids == [])
  }

  @Test(arguments: Kind.inFiles) func anItemThatIsPutBackHasTheBytesThatItHad(
    kind: Kind
  ) async throws {
    let calendar = try open(kind)
    let name = kind == .folder ? "calendar/mine.ics" : "calendar.ics"
    let lines = SampleItem.calendar(SampleItem.event("a"))
    let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
    try folder.write(bytes, to: name)
    let before = try await calendar.scan().entry("a")
    let later = try SampleItem.item(SampleItem.event("a", "Dinner"))
    _ = try await calendar.apply([
      .update(name: before.name, from: before.revision, to: later)
    ])
    #expect(try folder.bytes(of: name) != bytes)
    let now = try await calendar.scan().entry("a")
    let change = LocalChange.putBack(
      name: now.name, from: now.revision, to: before.item.serialized())
    #expect(try await calendar.apply([change]).map(\.isDone) == [true])
    #expect(try folder.bytes(of: name) == bytes)
    #expect(try await calendar.apply([change]) == [.conditionFailed])
  }

  @Test(arguments: Kind.allCases) func aChangeOfAnotherVersionIsNotMade(kind: Kind) async throws {
    let calendar = try open(kind)
    _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    let read = try await calendar.scan().entry("a")
    let other = try SampleItem.item(SampleItem.event("a", "Dinner"))
    _ = try await calendar.apply([.update(name: read.name, from: read.revision, to: other)])

    let outcomes = try await calendar.apply([
      .update(name: read.name, from: read.revision, to: SampleItem.item(SampleItem.event("a"))),
      .delete(name: read.name, from: read.revision),
      .create(SampleItem.item(SampleItem.event("a"))),
      .update(
        name: "none.ics", from: read.revision, to: SampleItem.item(SampleItem.event("none.ics"))),
      .delete(name: "none.ics", from: read.revision),
    ])
    #expect(outcomes == Array(repeating: .conditionFailed, count: 5))
    #expect(try await calendar.scan().entry("a").item.title == "Dinner")
    #expect(try await calendar.scan().uids == ["a"])
  }

  @Test(arguments: Kind.allCases) func oneBadChangeStopsNoOther(kind: Kind) async throws {
    let calendar = try open(kind)
    let outcomes = try await calendar.apply([
      .create(SampleItem.item(SampleItem.event("a"))),
      .create(SampleItem.item(SampleItem.event("a", "Dinner"))),
      .create(SampleItem.item(SampleItem.event("b"))),
    ])
    #expect(outcomes.map(\.isDone) == [true, false, true])
    #expect(try await calendar.scan().uids == ["a", "b"])
    #expect(try await calendar.scan().entry("a").item.title == "Lunch")
  }

  @Test(arguments: Kind.inFiles) func theLocationIsOneForAllSpellings(kind: Kind) async throws {
    let calendar = try open(kind)
    let detour = "\(folder.path)/../\(folder.path.split(separator: "/").last ?? "")/./\(kind.name)"
    #expect(try LocalCalendars.open(path: detour, for: .reading).location == calendar.location)
    #expect(calendar.location == folder.path(of: kind.name))
  }

  @Test(arguments: Kind.allCases) func readingChangesNothing(kind: Kind) async throws {
    _ = try await open(kind).apply([.create(SampleItem.item(SampleItem.event("a")))])
    let calendar = try open(kind, for: .reading)
    #expect(try await calendar.scan().uids == ["a"])
    let error = await #expect(throws: StoreError.self) {
      try await calendar.apply([.create(SampleItem.item(SampleItem.event("b")))])
    }
    #expect(error?.code == .readOnly)
    #expect(try await calendar.scan().uids == ["a"])
  }

  @Test(arguments: Kind.inFiles) func whatIsWrittenEndsItsLinesInCRLF(kind: Kind) async throws {
    let text = SampleItem.calendar(SampleItem.event("a"), properties: ["METHOD:REQUEST"])
      .map { $0 + "\n" }.joined()
    _ = try await open(kind).apply([.create(try CalendarItem(parsing: Array(text.utf8)))])
    let name = kind == .file ? kind.name : "\(kind.name)/a.ics"
    let written = String(decoding: try folder.bytes(of: name), as: UTF8.self)
    #expect(written.contains("SUMMARY:Lunch\r\n"))
    #expect(!written.replacing("\r\n", with: "").contains("\n"))
    #expect(!written.contains("METHOD"))
  }

  @Test(arguments: Kind.allCases) func aSurveyKnowsWhatChanged(kind: Kind) async throws {
    let form = NormalForm()
    let now = Instant(secondsSinceEpoch: 1_800_000_000)
    let calendar = try open(kind)
    _ = try await calendar.apply([
      .create(SampleItem.item(SampleItem.event("a"))),
      .create(SampleItem.item(SampleItem.event("b"))),
    ])
    let first = try await calendar.survey(since: nil, in: form, at: now)
    #expect(!first.isUnchanged)
    let entries = try await calendar.scan().entries.sorted { $0.item.uid < $1.item.uid }
    let records = first.records().sorted { $0.uid < $1.uid }
    #expect(records.map(\.name) == entries.map(\.name))
    #expect(records.map(\.revision) == entries.map(\.revision))
    #expect(records.map(\.fingerprint) == entries.map { $0.item.normalized(by: form).fingerprint })
    // A folder reads files again that were written at the moment of a survey.
    if !Kind.inFiles.contains(kind) {
      let same = try await open(kind, for: .reading).survey(
        since: first.snapshot, in: form, at: now)
      #expect(same.isUnchanged)
      #expect(same.records().sorted { $0.uid < $1.uid } == records)
    }
    _ = try await calendar.apply([.delete(name: entries[0].name, from: entries[0].revision)])
    let second = try await calendar.survey(since: first.snapshot, in: form, at: now)
    #expect(!second.isUnchanged)
    #expect(second.records() == [records[1]])
    #expect(second.unreadable.isEmpty)
  }

  @Test(
    "A calendar in the ledger keeps bytes, and is apart from others",
    arguments: [
      Kind.sqlite, .postgreSQL,
    ]) func inTheLedger(kind: Kind) async throws
  {
    let calendar = try open(kind)
    #expect(calendar.location == "database:mine")
    let home = try #require(homes[kind])
    let ledger = try home.openWithoutLease()
    let other = try LocalCalendars.open(
      path: "database:other", for: .writing, knowing: ledger.knownNames)
    _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    #expect(try await other.scan().uids == [])
    let entry = try await calendar.scan().entry("a")
    let bytes = Array(SampleItem.calendar(SampleItem.event("a")).map { "\($0)\n" }.joined().utf8)
    let outcome = try await calendar.apply([.putBack(name: "a", from: entry.revision, to: bytes)])
    #expect(outcome.map(\.isDone) == [true])
    #expect(try await calendar.scan().entry("a").item.serialized() == bytes)
    // What cannot be read is reported, and is no item that is gone.
    let now = try await calendar.scan().entry("a").revision
    _ = try await calendar.apply([.putBack(name: "a", from: now, to: Array("BEGIN".utf8))])
    let survey = try await calendar.survey(
      since: nil, in: NormalForm(), at: Instant(secondsSinceEpoch: 1_800_000_000))
    #expect(survey.records() == [])
    #expect(survey.unreadable.map(\.name) == ["a"])
    // Only syncs change it.
    #expect(throws: StoreError.self) {
      try LocalCalendars.openEditable(path: "database:mine", for: .writing)
    }
  }

  @Test func aFolderThatIsGoneIsNoEmptyCalendar() throws {
    for purpose in [LocalCalendars.Purpose.reading, .writing] {
      let error = #expect(throws: StoreError.self) { try open(.folder, for: purpose) }
      #expect(error?.code == .notFound)
    }
    let error = #expect(throws: StoreError.self) {
      try LocalCalendars.open(path: folder.path(of: "none/a.ics"), for: .writing)
    }
    #expect(error?.code == .notFound)
    #expect(try folder.names() == [])
  }

  @Test func foldersAboveAreMadeWhenAsked() async throws {
    let calendar = try LocalCalendars.open(path: folder.path(of: "x/y/z//"), for: .creating)
    #expect(calendar.location == folder.path(of: "x/y/z"))
    #expect(calendar is FolderCalendar)
    let file = try LocalCalendars.open(path: folder.path(of: "v/w/a.ICS"), for: .creating)
    #expect(file is FileCalendar)
    #expect(try await calendar.scan().uids == [])
    #expect(try await file.scan().uids == [])
  }
}
