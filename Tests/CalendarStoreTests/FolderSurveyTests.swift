// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct FolderSurveyTests {
  /// Long after every file was changed: no status is in doubt.
  private static let later = Instant(secondsSinceEpoch: 4_000_000_000)
  /// Before every file was changed: each may have been changed since.
  private static let atOnce = Instant(secondsSinceEpoch: 0)

  let folder: TemporaryFolder
  let calendar: FolderCalendar

  init() throws {
    folder = try TemporaryFolder()
    calendar = try FolderCalendar(path: folder.path, for: .writing)
  }

  private func write(_ uid: String, _ summary: String = "Lunch", to name: String) throws {
    try folder.write(lines: SampleItem.calendar(SampleItem.event(uid, summary)), to: name)
  }

  private func survey(
    _ snapshot: LocalSnapshot?, at now: Instant = later
  ) async throws -> LocalSurvey {
    try await calendar.survey(since: snapshot, in: NormalForm(), at: now)
  }

  @Test func whatIsThereIsWhatReadingEverythingFinds() async throws {
    try write("a", to: "1.ics")
    try write("b", to: "2.ics")
    try write("a", to: "3.ics")
    try folder.write([], to: "4.ics")
    let survey = try await survey(nil)
    #expect(survey.records() == (try await calendar.scan()).entries.map(LocalRecord.init))
    #expect(survey.unreadable.map(\.name) == ["4.ics", "3.ics"])
    #expect(!survey.isUnchanged)
  }

  @Test(arguments: [later, atOnce])
  func whatChangedIsToldItemByItem(now: Instant) async throws {
    for name in ["1", "2", "3", "4", "5"] { try write(name, to: "\(name).ics") }
    let first = try await survey(nil, at: now)
    #expect(first.changes == nil)
    #expect(
      try await survey(first.snapshot, at: now).changes == LocalChanges(found: [], gone: [:]))
    try write("2", "Dinner", to: "2.ics")
    try write("x", to: "3.ics")
    try FileManager.default.removeItem(atPath: folder.path(of: "4.ics"))
    try FileManager.default.moveItem(
      atPath: folder.path(of: "5.ics"), toPath: folder.path(of: "50.ics"))
    try write("6", to: "6.ics")
    let second = try await survey(first.snapshot, at: now)
    let changes = try #require(second.changes)
    #expect(changes.found.map(\.name) == ["2.ics", "3.ics", "50.ics", "6.ics"])
    let gone = ["2", "3", "4", "5"].map { ("\($0).ics", UID($0)) }
    #expect(changes.gone == Dictionary(uniqueKeysWithValues: gone))
    #expect(changes.uids == Set(["2", "3", "4", "5", "6", "x"].map { UID($0) }))
    try write("1", to: "7.ics")
    #expect(
      try await survey(second.snapshot, at: now).changes == nil, "which of two counts is not said")
  }

  @Test(arguments: [later, atOnce])
  func aFolderAsItWasIsUnchanged(now: Instant) async throws {
    try write("a", to: "1.ics")
    try write("b", to: "2.ics")
    let first = try await survey(nil, at: now)
    let second = try await survey(first.snapshot, at: now)
    #expect(second.isUnchanged)
    #expect(second.records() == first.records())
    #expect(second.snapshot == first.snapshot)
  }

  @Test func aFileThatIsNotReadIsTakenForWhatItWas() async throws {
    try write("a", to: "1.ics")
    let first = try await survey(nil)
    // The snapshot says that the file is of another item; whoever reads the file knows better.
    let bytes = try #require(first.snapshot).bytes
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "a")))
    let forged = bytes.enumerated().map { $0.offset == place ? UInt8(ascii: "z") : $0.element }
    let records = try await survey(LocalSnapshot(forged)).records()
    #expect(records != first.records())
  }

  @Test func theMeaningOfAVersionThatIsKnownIsTakenFromItsRecord() async throws {
    try write("a", to: "1.ics")
    try write("b", to: "2.ics")
    let records = try await survey(nil).records()
    let forged = records.map {
      LocalRecord(
        name: $0.name, revision: $0.revision, uid: $0.uid, fingerprint: Fingerprint("known"))
    }
    try write("b", "Dinner", to: "2.ics")
    let read = try await calendar.read(forged, in: NormalForm()).entries
    #expect(read.map(\.name) == ["1.ics", "2.ics"])
    #expect(read[0].item.fingerprint == Fingerprint("known"))
    #expect(read[1].item.fingerprint == (try await calendar.scan()).entries[1].item.fingerprint)
    #expect(read[1].item.fingerprint != records[1].fingerprint)
  }

  @Test func aFileOfADoubtfulMomentIsReadAgain() async throws {
    try write("a", to: "1.ics")
    let first = try await survey(nil, at: Self.atOnce)
    try write("a", "Lunch".reversed().map(String.init).joined(), to: "1.ics")
    let second = try await survey(first.snapshot)
    #expect(!second.isUnchanged)
    #expect(second.records() == (try await calendar.scan()).entries.map(LocalRecord.init))
  }

  @Test func aTimeOfModificationThatIsPutBackHidesNothing() async throws {
    let path = folder.path(of: "1.ics")
    try write("a", "Lunch", to: "1.ics")
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let first = try await survey(nil)
    try write("a", "Brunc", to: "1.ics")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(date)], ofItemAtPath: path)
    #expect(!(try await survey(first.snapshot)).isUnchanged)
  }

  @Test(arguments: [
    "", "nonsense", "epact folder 1 ", "epact folder 1 9\nxx", "epact folder 2 ",
    "epact folder 2 9\nxx",
  ])
  func bytesThatAreNoSnapshotAreNone(text: String) async throws {
    try write("a", to: "1.ics")
    let survey = try await survey(LocalSnapshot(Array(text.utf8)))
    #expect(!survey.isUnchanged)
    #expect(survey.records().map(\.uid) == [UID("a")])
  }

  @Test func aSnapshotThatIsCutOffAnywhereSavesLessAndFindsTheSame() async throws {
    for name in ["1.ics", "2.ics", "3.ics"] { try write(name, to: name) }
    let whole = try await survey(nil)
    let bytes = try #require(whole.snapshot).bytes
    for count in 0..<bytes.count {
      let survey = try await survey(LocalSnapshot(Array(bytes.prefix(count))))
      #expect(survey.records() == whole.records(), "\(count) of \(bytes.count) bytes")
    }
  }

  @Test func whateverIsDoneASurveyFindsWhatReadingEverythingFinds() async throws {
    var random = SeededGenerator(seed: 11)
    var snapshot: LocalSnapshot?
    var known: [LocalRecord] = []
    for step in 0..<300 {
      let name = "\(Int.random(in: 0..<6, using: &random)).ics"
      let uid = "u\(Int.random(in: 0..<5, using: &random))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: try write(uid, "\(step)", to: name)
      case 2: try? FileManager.default.removeItem(atPath: folder.path(of: name))
      case 3: try folder.write([0x42], to: name)
      case 4:
        let target = folder.path(of: "\(Int.random(in: 0..<6, using: &random)).ics")
        try? FileManager.default.moveItem(atPath: folder.path(of: name), toPath: target)
      default: break
      }
      let now = Bool.random(using: &random) ? Self.atOnce : Instant(secondsSinceEpoch: 1_000)
      let fresh = try await survey(nil, at: now)
      let survey = try await survey(snapshot, at: now)
      #expect(survey.records() == fresh.records(), "step \(step)")
      if let changes = survey.changes {
        let kept = known.filter { changes.gone[$0.name] == nil }
        #expect(Set(kept + changes.found) == Set(fresh.records()), "step \(step)")
      }
      #expect(
        Set(survey.unreadable.map(\.name)) == Set(fresh.unreadable.map(\.name)), "step \(step)")
      #expect(
        survey.unreadable.isEmpty || !survey.isUnchanged,
        "what cannot be read is never at rest; step \(step)")
      (snapshot, known) = (survey.snapshot, survey.records())
      if step.isMultiple(of: 7), let old = snapshot {
        snapshot = calendar.snapshot(old, doubting: [name: UID(uid)])
        let changes = try await self.survey(snapshot, at: now).changes
        #expect(changes?.gone[name] != nil || !survey.unreadable.isEmpty, "step \(step)")
        known.removeAll { $0.name == name }
        continue
      }
      let again = try await self.survey(snapshot, at: now)
      #expect(again.isUnchanged == again.unreadable.isEmpty, "step \(step)")
    }
  }

  @Test func theRecordsOfSomeItemsAreThoseOfAll() async throws {
    for name in ["1", "2", "3", "4"] { try write(name, to: "\(name).ics") }
    let first = try await survey(nil)
    try write("3", "Dinner", to: "3.ics")
    try FileManager.default.removeItem(atPath: folder.path(of: "4.ics"))
    let wanted: Set = [UID("1"), UID("3"), UID("4"), UID("none")]
    for survey in [first, try await survey(first.snapshot)] {
      let records = survey.records().filter { wanted.contains($0.uid) }
      #expect(survey.records(of: wanted) == records)
      #expect(survey.records(of: []).isEmpty)
    }
  }

  @Test func doubtfulFilesAreReportedInAnyCase() async throws {
    let names = (10..<20).map { "\($0).ics" }
    for name in names { try write(name, to: name) }
    let first = try #require(try await survey(nil).snapshot)
    let items = ["00", "10", "14", "145", "19", "20"].map { ("\($0).ics", UID("\($0).ics")) }
    let doubted = try #require(
      calendar.snapshot(first, doubting: Dictionary(uniqueKeysWithValues: items)))
    let second = try await survey(doubted)
    let changes = try #require(second.changes)
    #expect(changes.found.map(\.name) == ["10.ics", "14.ics", "19.ics"])
    #expect(changes.gone == Dictionary(uniqueKeysWithValues: items))
    #expect(second.records().map(\.name) == names)
    #expect(try await survey(second.snapshot).isUnchanged)
    #expect(second.snapshot == first)
    #expect(calendar.snapshot(first, doubting: [:]) == first)
    #expect(calendar.snapshot(LocalSnapshot(Array("none".utf8)), doubting: [:]) == nil)
  }

  @Test func aFileBetweenUnchangedOnesIsTheOnlyOneThatChanges() async throws {
    let names = (10..<30).map { "\($0).ics" }
    for name in names { try write("u\(name)", to: name) }
    let first = try await survey(nil)
    // The UID of a later file: the first one by name is the item.
    try write("u25.ics", "Copy", to: "15.ics")
    let second = try await survey(first.snapshot)
    #expect(second.records().map(\.name) == names.filter { $0 != "25.ics" })
    #expect(second.unreadable.map(\.name) == ["25.ics"])
    #expect(second.records() == (try await calendar.scan()).entries.map(LocalRecord.init))
    try write("u15.ics", to: "15.ics")
    let third = try await survey(second.snapshot)
    #expect(third.records() == first.records())
    #expect(try await survey(third.snapshot).isUnchanged)
  }

  @Test func aSurveyReportsNamesThatAreNotUTF8First() async throws {
    try write("a", to: "1.ics")
    try folder.write([], to: "2.ics")
    let path = Array(folder.path(of: "").utf8) + [0xFF] + Array(".ics".utf8)
    let descriptor = unsafe open(
      path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    close(descriptor)
    for snapshot in [nil, try await survey(nil).snapshot] {
      let survey = try await survey(snapshot)
      #expect(survey.unreadable.map(\.name) == ["\u{FFFD}.ics", "2.ics"])
      #expect(survey.unreadable.first?.reason == "the name of the file is not UTF-8")
      #expect(survey.records().map(\.name) == ["1.ics"])
    }
  }

  @Test func aSurveyRemovesWhatAKilledRunLeft() async throws {
    try write("a", to: "1.ics")
    try folder.write([], to: ".epact-abc.tmp")
    try folder.write([], to: ".other.tmp")
    _ = try await survey(nil)
    #expect(try folder.names() == [".other.tmp", "1.ics"])
  }

  @Test func namesAreReadAndNothingElse() async throws {
    try write("a", to: "1.ics")
    try write("b", to: "2.ics")
    try folder.write([], to: "3.ics")
    let listing = try await calendar.read(["2.ics", "3.ics", "gone.ics"], in: NormalForm())
    #expect(listing.entries.map(\.name) == ["2.ics"])
    #expect(listing.unreadable.map(\.name) == ["3.ics"])
  }
}
