// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct FileSurveyTests {
  /// Long after every file was changed: no status is in doubt.
  private static let later = Instant(secondsSinceEpoch: 4_000_000_000)
  /// Before every file was changed: each may have been changed since.
  private static let atOnce = Instant(secondsSinceEpoch: 0)

  let folder: TemporaryFolder
  let calendar: FileCalendar

  init() throws {
    folder = try TemporaryFolder()
    calendar = try FileCalendar(path: folder.path(of: "all.ics"), for: .writing)
  }

  private func write(_ uids: String..., summary: String = "Lunch") throws {
    let events = uids.flatMap { SampleItem.event($0, summary) }
    try folder.write(lines: SampleItem.calendar(events), to: "all.ics")
  }

  private func survey(
    _ snapshot: LocalSnapshot?, at now: Instant = later
  ) async throws -> LocalSurvey {
    try await calendar.survey(since: snapshot, in: NormalForm(), at: now)
  }

  @Test func whatIsThereIsWhatReadingEverythingFinds() async throws {
    try write("a", "b")
    let survey = try await survey(nil)
    #expect(survey.records() == (try await calendar.scan()).entries.map(LocalRecord.init))
    #expect(survey.records().count == 2)
    #expect(!survey.isUnchanged)
  }

  @Test(arguments: [later, atOnce])
  func aFileAsItWasIsUnchanged(now: Instant) async throws {
    try write("a", "b")
    let first = try await survey(nil, at: now)
    let second = try await survey(first.snapshot, at: now)
    #expect(second.isUnchanged)
    #expect(second.records() == first.records())
    #expect(second.snapshot == first.snapshot)
  }

  @Test func aFileThatDidNotChangeIsNotRead() async throws {
    try write("a")
    let first = try await survey(nil)
    let bytes = try #require(first.snapshot?.bytes)
    // The snapshot says that the file is of another item; whoever reads the file knows better.
    let place = try #require(bytes.firstRange(of: Array("a".utf8 + [0, 32])))
    var forged = bytes
    forged[place.lowerBound] = UInt8(ascii: "b")
    #expect(try await survey(LocalSnapshot(forged)).records().map(\.uid.rawValue) == ["b"])
    try write("a", summary: "Dinner")
    #expect(try await survey(LocalSnapshot(forged)).records().map(\.uid.rawValue) == ["a"])
  }

  @Test func anEditADeletionAndAnotherFileAreSeen() async throws {
    try write("a", "b")
    let first = try await survey(nil)
    try write("a", "b", summary: "Dinner")
    let edited = try await survey(first.snapshot)
    #expect(!edited.isUnchanged)
    #expect(edited.records().map(\.fingerprint) != first.records().map(\.fingerprint))
    try write("a", summary: "Dinner")
    let shorter = try await survey(edited.snapshot)
    #expect(!shorter.isUnchanged)
    #expect(shorter.records().map(\.uid.rawValue) == ["a"])
    try FileManager.default.removeItem(atPath: folder.path(of: "all.ics"))
    let gone = try await survey(shorter.snapshot)
    #expect(!gone.isUnchanged)
    #expect(gone.records().isEmpty)
  }

  @Test func aFileThatIsNoCalendarIsAnErrorAndNotEmpty() async throws {
    try write("a")
    let first = try await survey(nil)
    try folder.write(Array("<html>".utf8), to: "all.ics")
    await #expect(throws: StoreError.self) { _ = try await survey(first.snapshot) }
  }

  @Test func aSnapshotOfAFolderOrOfAnythingElseIsNone() async throws {
    try write("a")
    for bytes in [[], Array("epact".utf8), [UInt8](repeating: 0, count: 99)] {
      let found = try await survey(LocalSnapshot(bytes))
      #expect(found.records().count == 1)
      #expect(!found.isUnchanged)
    }
  }
}
