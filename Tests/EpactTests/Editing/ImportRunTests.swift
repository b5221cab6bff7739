// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

/// Imports as runs in the history: their parts, their failures and their interruptions.
@Suite(.timeLimit(.minutes(60)))
struct ImportRunTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private static let folders = ["calendars/private", "one.ics"]

  private func write(_ text: String, to path: String) throws {
    try world.scene.folder.write(text.utf8, to: path)
  }

  @discardableResult
  private func run(_ texts: [String], into name: String) async throws -> ImportSummary {
    let path = try world.scene.folder.write(texts.joined().utf8, to: "incoming.ics")
    let calendar = CalendarLocation(path: world.scene.folder.path(of: name))
    return try await CalendarImport.run(
      ImportRequest([path], into: calendar), machine: world.scene.machine
    ) { _ in }
  }

  private func newer(_ uid: String, _ title: String = "New") -> String {
    TestItem.text(uid: uid, summary: title, sequence: 1)
  }

  private func files(of run: PastRun) throws -> [FileChange] {
    try world.history().read { try $0.fileChanges(of: run.id) }
  }

  private func states(of run: PastRun) throws -> [JournalLine.State] {
    try world.history().read { try $0.journal(of: run.id) }.map(\.state)
  }

  /// Changes an item as another program does.
  private func replace(_ uid: String, by item: CalendarItem, in name: String) throws {
    let calendar = try LocalCalendars.openEditable(
      path: world.scene.folder.path(of: name), for: .writing)
    let entry = try #require(try calendar.scan().entries.first { $0.item.uid == UID(uid) })
    let outcomes = try calendar.apply([
      .update(name: entry.name, from: entry.revision, to: item)
    ])
    try #require(outcomes.count == 1)
  }

  // MARK: Parts

  @Test("An import of several parts is undone byte for byte, and made again", arguments: folders)
  func parts(name: String) async throws {
    let old = (0..<1100).map { TestItem.text(uid: "old\($0)").replacing("\r\n", with: "\n") }
    if name == "one.ics" {
      try write(old.joined(), to: name)
    } else {
      for number in 0..<1100 { try write(old[number], to: "\(name)/Item \(number).ics") }
    }
    let before = try world.files()
    let texts = (0..<1100).map { newer("old\($0)") } + (0..<50).map { newer("new\($0)") }
    let summary = try await run(texts, into: name)
    #expect(summary[.updated] == 1100)
    #expect(summary[.added] == 50)
    let after = try world.files()
    #expect(try await world.undo().outcome == .done)
    #expect(try world.files() == before)
    #expect(try await world.redo().outcome == .done)
    #expect(try world.files() == after)
    #expect(try world.runs().map(\.summary.downloaded) == [1150, 1100, 1150])
    #expect(try world.runs().map(\.summary.deletedLocally) == [0, 50, 0])
  }

  @Test("The bytes of an ordinary item are stored once")
  func size() async throws {
    try await run([newer("a")], into: "calendars/private")
    try await run(
      [TestItem.text(uid: "a", summary: "Newer", sequence: 2)], into: "calendars/private")
    for run in try world.runs() { #expect(try files(of: run) == []) }
    try write(TestItem.text(uid: "odd") + "\r\n", to: "calendars/private/odd.ics")
    try await run([newer("odd")], into: "calendars/private")
    let run = try #require(try world.runs().first)
    #expect(try files(of: run).count == 1)
  }

  // MARK: Failures

  @Test("An item that cannot be written does not prevent the others")
  func oneThatFails() async throws {
    let name = ItemName(of: UID("b")).rawValue
    try write("nonsense", to: "calendars/private/\(name)")
    let summary = try await run(["a", "b", "c"].map { newer($0) }, into: "calendars/private")
    #expect(summary[.added] == 2)
    #expect(summary[.rejected] == 1)
    let run = try #require(try world.runs().first)
    #expect(run.summary.downloaded == 2)
    #expect(run.summary.failed == 1)
    #expect(try await world.undo().summary.deletedLocally == 2)
  }

  @Test("An import of which nothing can be written is a run of the history")
  func nothingWritten() async throws {
    let name = ItemName(of: UID("b")).rawValue
    try write("nonsense", to: "calendars/private/\(name)")
    #expect(try await run([newer("b")], into: "calendars/private")[.rejected] == 1)
    #expect(try world.runs().map(\.summary.failed) == [1])
  }

  @Test("An item that changes while an import is undone is kept, and counts as deferred")
  func changedMeanwhile() async throws {
    for uid in ["a", "b"] {
      try write(TestItem.text(uid: uid, summary: "Old"), to: "calendars/private/\(uid).ics")
    }
    try await run(["a", "b", "c"].map { newer($0) }, into: "calendars/private")
    let configuration = try ConfigurationFile(machine: world.scene.machine).load()
    let scene = world.scene
    let result = try await SyncSet(configuration, machine: scene.machine).undo { event in
      guard case .running(_, .planned) = event else { return }
      _ = try? scene.folder.write(
        TestItem.text(uid: "a", summary: "Theirs").utf8, to: "calendars/private/a.ics")
    }
    #expect(result.outcome == .unavailable)
    #expect(result.summary.deferred == 1)
    #expect(result.items.map(\.kind) == [.deferred])
    #expect(try world.item("a").item.title == "Theirs")
    #expect(try world.item("b").item.title == "Old")
    #expect(throws: EpactError.self) { try world.item("c") }
  }

  @Test("The items of an import are undone independently of each other", arguments: folders)
  func independence(name: String) async throws {
    let items = ["a", "b"].map { TestItem.text(uid: $0, summary: "Old") }
    if name == "one.ics" {
      try write(items.joined(), to: name)
    } else {
      for (uid, text) in zip(["a", "b"], items) { try write(text, to: "\(name)/\(uid).ics") }
    }
    try await run(["a", "b", "c"].map { newer($0) }, into: name)
    try replace(
      "a", by: TestItem.make(uid: "a", summary: "Theirs", sequence: 2), in: name)
    let result = try await world.undo()
    #expect(result.outcome == .someFailed)
    #expect(try world.runs().first?.summary.failed == 1)
    #expect(try world.item("a").item.title == "Theirs")
    #expect(try world.item("b").item.title == "Old")
    #expect(throws: EpactError.self) { try world.item("c") }
  }

  // MARK: Interruptions

  /// Records an import as a process of an earlier version does that dies before its end.
  private func interrupt(_ items: [CalendarItem], in name: String) throws {
    let location = world.scene.folder.path(of: name)
    let intents = items.map { item in
      Intent(
        uid: item.uid, action: .createLocal, content: item.serialized(),
        fingerprint: item.fingerprint, before: nil, href: nil, etag: nil)
    }
    let ledger = try LedgerFolder(machine: world.scene.machine, isReadOnly: false).openDatabase()
    try ledger.write { ledger in
      let run = try ledger.beginRun(of: .imports(into: location), at: EditScene.noon)
      try ledger.record(intents, in: run)
    }
  }

  @Test("The made changes of an import whose process died are undone")
  func interrupted() async throws {
    try interrupt(["a", "b"].map { TestItem.make(uid: $0) }, in: "calendars/private")
    try write(TestItem.text(uid: "a"), to: "calendars/private/a.ics")
    let result = try await world.undo()
    #expect(result.summary.deletedLocally == 1)
    #expect(result.outcome == .done)
    #expect(!world.scene.exists("calendars/private/a.ics"))
    let past = try #require(try world.runs().last)
    #expect(past.endedAt == nil)
    #expect(try states(of: past) == [.done, .givenUp])
  }

  @Test("A calendar that is missing keeps no other change from being made")
  func interruptedElsewhere() async throws {
    try interrupt([TestItem.make(uid: "a")], in: "gone")
    try await run([newer("b")], into: "calendars/private")
    #expect(try await world.undo().summary.deletedLocally == 1)
    let past = try #require(try world.runs().last)
    #expect(try states(of: past) == [.pending])
  }
}
