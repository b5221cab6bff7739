// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// Edits as runs in the history, and their undo.
struct EditRunTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private func write(_ text: String, to path: String) throws {
    try world.scene.folder.write(text.utf8, to: path)
  }

  private func details(title: String) -> ItemDetails {
    var details = ItemDetails()
    details.title = title
    return details
  }

  /// An item whose file no program of this package would write: another name, LF, blank lines.
  private static let odd =
    TestItem.text(uid: "odd", summary: "Odd").replacing("\r\n", with: "\n")
    .replacing("SEQUENCE:0\n", with: "X-ODD;X=\"1\":  kept\nSEQUENCE:0\n") + "\n\n"

  // MARK: Undo

  @Test(arguments: ["changed", "deleted", "moved", "copied"])
  func anEditIsTakenBackByteForByte(kind: String) async throws {
    try write(Self.odd, to: "calendars/private/My event.ics")
    let before = try world.files()
    let found = try world.item("odd")
    let work = try world.calendar("work")
    let edit =
      switch kind {
      case "changed": try world.editor.changing(found, details(title: "New"), .all)
      case "deleted": try world.editor.deleting(found, .all)
      case "moved": try world.editor.moving(found, to: work)
      default: try world.editor.copying(found, to: work)
      }
    let run = try #require(try edit.commit())
    let after = try world.files()
    #expect(after != before)
    let result = try await world.undo()
    #expect(result.outcome == .done)
    #expect(try world.files() == before)
    // An undo is a run itself, and so is a redo.
    try await world.redo()
    #expect(try world.files() == after)
    let runs = try world.runs()
    #expect(runs.map(\.undoes) == [RunID(run.rawValue + 1), run, nil])
    #expect(runs.allSatisfy { $0.binding?.isEdit == true && $0.endedAt != nil })
  }

  @Test func aCalendarOfOneFileIsTakenBackByteForByte() async throws {
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//X//EN\nX-WR-CALNAME:One\n"
      + ["a", "b", "c"].map { uid in
        "BEGIN:VEVENT\nUID:\(uid)\nDTSTAMP:20260102T030405Z\nDTSTART:20260301T120000Z\n"
          + "SUMMARY:Event \(uid)\nEND:VEVENT\n"
      }.joined() + "END:VCALENDAR\n\n"
    try write(text, to: "one.ics")
    for name in ["a", "b"] {
      _ = try world.editor.deleting(try world.item(name), .all).commit()
    }
    _ = try world.editor.changing(try world.item("c"), details(title: "New"), .all).commit()
    for _ in 0..<3 { #expect(try await world.undo().outcome == .done) }
    #expect(String(decoding: try world.scene.folder.bytes(of: "one.ics"), as: UTF8.self) == text)
  }

  @Test func anItemThatWasChangedSinceIsLeftAlone() async throws {
    try write(TestItem.text(uid: "a", summary: "First"), to: "calendars/private/a.ics")
    try write(TestItem.text(uid: "b", summary: "Second"), to: "calendars/private/b.ics")
    let edit = try world.editor.deleting(try world.item("a"), .all)
      .and(try world.editor.changing(try world.item("b"), details(title: "Mine"), .all))
    try edit.commit()
    try write(TestItem.text(uid: "b", summary: "Theirs"), to: "calendars/private/b.ics")
    let plans = Mutex<[String]>([])
    let configuration = try ConfigurationFile(machine: world.scene.machine).load()
    let result = try await SyncSet(configuration, machine: world.scene.machine).undo { event in
      if case .running(_, .planned(let plan)) = event {
        plans.withLock { $0 = plan.operations.filter(\.isFailure).map(\.title) }
      }
    }
    #expect(plans.withLock(\.self) == ["Theirs"])
    #expect(result.outcome == .someFailed)
    #expect(try world.item("a").item.title == "First")
    #expect(try world.item("b").item.title == "Theirs")
  }

  @Test func aLaterEditOfAnotherPropertyStays() async throws {
    try write(TestItem.text(uid: "a", summary: "First"), to: "calendars/private/a.ics")
    try world.editor.changing(try world.item("a"), details(title: "Mine"), .all).commit()
    let text = try String(
      decoding: world.scene.folder.bytes(of: "calendars/private/a.ics"), as: UTF8.self)
    let theirs = text.replacing("SUMMARY:", with: "LOCATION:Theirs\r\nSUMMARY:")
    try write(theirs, to: "calendars/private/a.ics")
    let result = try await world.undo()
    #expect(result.outcome == .done)
    #expect(result.undo?.items.map(\.title) == ["First"])
    let item = try world.item("a").item
    #expect(item.title == "First")
    #expect(item.main?[.location]?.text == "Theirs")
    try await world.redo()
    #expect(
      try String(decoding: world.scene.folder.bytes(of: "calendars/private/a.ics"), as: UTF8.self)
        == theirs)
  }

  @Test func aChangeThatIsNotInEffectAnyMoreIsPassedOver() async throws {
    try write(TestItem.text(uid: "a", summary: "First"), to: "calendars/private/a.ics")
    try world.editor.changing(try world.item("a"), details(title: "Mine"), .all).commit()
    _ = try world.editor.adding(event("Later"), as: .event, to: try world.calendar("private"))
      .commit()
    let found = try world.item("Later")
    try FileManager.default.removeItem(
      atPath: world.scene.folder.path(of: "calendars/private/\(found.entry.name)"))
    #expect(try await world.undo().summary.downloaded == 1)
    #expect(try world.item("a").item.title == "First")
    let error = try await #require(throws: EpactError.self) { try await world.undo() }
    #expect(error.remedy == .chooseRun)
  }

  @Test func aMovedItemThatWasChangedSinceIsNotDoubled() async throws {
    try write(TestItem.text(uid: "a", summary: "Mine"), to: "calendars/private/a.ics")
    try world.editor.moving(try world.item("a"), to: try world.calendar("work")).commit()
    try write(TestItem.text(uid: "a", summary: "Theirs"), to: "synced/work/a.ics")
    #expect(try await world.undo().outcome == .someFailed)
    #expect(!world.scene.exists("calendars/private/a.ics"))
    #expect(try world.item("a").item.title == "Theirs")
  }

  @Test func bothPartsOfASplitSeriesAreLeftAloneIfOneWasChangedSince() async throws {
    let series = TestItem.text(uid: "a").replacing(
      "SEQUENCE:0\r\n", with: "SEQUENCE:0\r\nRRULE:FREQ=DAILY;COUNT=9\r\n")
    try write(series, to: "calendars/private/a.ics")
    let found = try world.item("a")
    let part = try world.editor.span(.future(try world.dates.moment("2026-03-04")), of: found)
    try world.editor.changing(found, details(title: "Later"), part).commit()
    let successor = try world.item("Later")
    let text = String(decoding: successor.item.serialized(), as: UTF8.self)
    try write(
      text.replacing("SUMMARY:Later", with: "SUMMARY:Theirs"),
      to: "calendars/private/\(successor.entry.name)")
    let before = try world.files()
    #expect(try await world.undo().outcome == .someFailed)
    #expect(try world.files() == before)
  }

  @Test func anotherItemOfTheSameFileKeepsItsLaterChange() async throws {
    _ = try world.editor.adding(event("First"), as: .event, to: try world.calendar("one")).commit()
    let run = try #require(
      try world.editor.changing(try world.item("First"), details(title: "Edited"), .all).commit())
    _ = try world.editor.adding(event("Second"), as: .event, to: try world.calendar("one")).commit()
    #expect(try await world.undo(run).outcome == .done)
    #expect(try world.item("First").item.title == "First")
    #expect(try world.item("Second").item.title == "Second")
  }

  private func event(_ title: String) -> ItemDetails {
    var details = details(title: title)
    details.start = CivilDate(year: 2026, month: 12, day: 1).map { .date($0) }
    return details
  }

  // MARK: Interruptions

  /// Records an edit as a process does that dies before its end is recorded.
  private func record(_ item: CalendarItem, in folder: String) throws -> FileReplacement {
    let path = world.scene.folder.path(of: folder)
    let replacement = FileReplacement(
      path: path + "/\(item.uid).ics", expected: nil, contents: item.serialized())
    let intent = Intent(
      uid: item.uid, action: .createLocal, content: item.serialized(), fingerprint: nil,
      before: nil, href: Href(path), etag: nil)
    let change = FileChange(of: replacement.path, from: nil, to: replacement.contents)
    let ledger = try LedgerFolder(machine: world.scene.machine, isReadOnly: false).openDatabase()
    try ledger.write { ledger in
      let run = try ledger.beginRun(of: .edits, at: EditScene.noon)
      try ledger.record([intent], in: run)
      try ledger.record([change], in: run)
    }
    return replacement
  }

  @Test func anEditWhoseProcessDiedAfterwardsIsTakenBack() async throws {
    let replacement = try record(TestItem.make(uid: "a"), in: "calendars/private")
    try world.scene.folder.write(replacement.contents ?? [], to: "calendars/private/a.ics")
    let result = try await world.undo()
    #expect(result.summary.deletedLocally == 1)
    #expect(!world.scene.exists("calendars/private/a.ics"))
  }

  @Test func anEditWhoseProcessDiedBeforeItIsNoRunToTakeBack() async throws {
    _ = try record(TestItem.make(uid: "a"), in: "calendars/private")
    _ = try world.editor.adding(event("Later"), as: .event, to: try world.calendar("private"))
      .commit()
    let runs = try world.runs()
    #expect(runs.map(\.summary.failed) == [0, 1])
    #expect(runs.allSatisfy { $0.endedAt != nil })
    #expect(try await world.undo().summary.deletedLocally == 1)
    #expect(throws: EpactError.self) { try world.item("Later") }
  }

  @Test func aFailedEditChangesNothingAndIsRecordedAsFailed() throws {
    try write(TestItem.text(uid: "a"), to: "calendars/private/a.ics")
    let edit = try world.editor.changing(try world.item("a"), details(title: "Mine"), .all)
    try write(TestItem.text(uid: "a", summary: "Theirs"), to: "calendars/private/a.ics")
    let error = try #require(throws: LibraryError.self) { try edit.commit() }
    #expect(error.code == .changedMeanwhile)
    #expect(try world.item("a").item.title == "Theirs")
  }
}

extension EditScene {
  /// The runs of the history, newest first.
  func runs() throws -> [PastRun] { try history().read { try $0.runs(of: nil) } }
}
