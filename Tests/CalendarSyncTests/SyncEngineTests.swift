// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A sync with full access")
struct SyncEngineTests {
  @Test("The first sync copies both ways, the second does nothing at all")
  func firstAndSecond() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "Lunch"))
    scene.remote.write(TestItem.make(uid: "b", summary: "Dinner"))
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "Lunch", "b": "Dinner"])
    #expect(outcome.summary.uploaded == 1)
    #expect(outcome.summary.downloaded == 1)
    try await scene.expectRest()
    #expect(scene.remote.log == ["open calendar", "list"])
  }

  @Test("An edit on either side travels to the other")
  func edits() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Lunch", "b": "Dinner"])
    scene.local.write(TestItem.make(uid: "a", summary: "Late lunch"))
    scene.remote.write(TestItem.make(uid: "b", summary: "Early dinner"))
    try await scene.sync()
    scene.expectBoth(["a": "Late lunch", "b": "Early dinner"])
    try await scene.expectRest()
  }

  @Test("A deletion on either side travels to the other")
  func deletions() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.local.remove("a")
    scene.remote.remove("b")
    let outcome = try await scene.sync()
    scene.expectBoth(["c": "3", "d": "4"])
    #expect(outcome.summary.deletedRemotely == 1)
    #expect(outcome.summary.deletedLocally == 1)
    try await scene.expectRest()
  }

  @Test("What was deleted here and is on the remote again is downloaded with the reason")
  func returns() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.remove("a")
    scene.remote.remove("b")
    try await scene.sync()
    // Another machine edited the first one before it saw the deletion, and adds both again.
    scene.remote.write(TestItem.make(uid: "a", summary: "1, edited"))
    scene.remote.write(TestItem.make(uid: "b", summary: "2, again"))
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "1, edited", "b": "2, again", "c": "3"])
    let lines = outcome.plan.split(separator: "\n").filter { $0.contains("added-again") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("1, edited") == true)
    // Once it is back, it is an item like any other.
    scene.remote.remove("a")
    try await scene.sync()
    scene.remote.write(TestItem.make(uid: "a", summary: "1"))
    #expect(try await !scene.sync().plan.contains("added-again"))
  }

  @Test("An occurrence that was deleted here and is on the remote again is named")
  func returnOfOccurrence() async throws {
    let scene = SyncScene()
    func item(_ lines: String...) -> CalendarItem {
      let text = TestItem.text(uid: "a")
      return TestItem.parse(
        text.replacing("SEQUENCE:", with: lines.map { "\($0)\r\n" }.joined() + "SEQUENCE:"))
    }
    let series = item("RRULE:FREQ=DAILY;COUNT=5")
    let shorter = item(
      "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20260302T120000Z", "EXDATE:20260303T120000Z")
    scene.local.write(series)
    try await scene.sync()
    scene.local.write(shorter)
    try await scene.sync()
    scene.remote.write(item("RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20260302T120000Z"))
    let plan = try await scene.sync().plan
    #expect(plan.contains("brought-back ("))
    // With another rule the dates mean something else.
    scene.remote.write(item("RRULE:FREQ=WEEKLY;COUNT=5"))
    #expect(try await !scene.sync().plan.contains("brought-back"))
  }

  @Test("What was deleted on both sides is forgotten")
  func deletedOnBoth() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.local.remove("a")
    scene.remote.remove("a")
    try await scene.sync()
    #expect(scene.remote.writes == [])
    #expect(try await scene.ledger.entries(of: scene.binding).map(\.uid) == [UID("b")])
    try await scene.expectRest()
  }

  @Test("Two edits are one stored conflict with both versions, which is new only once")
  func conflict() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Base"])
    let mine = TestItem.make(uid: "a", summary: "Mine")
    let theirs = TestItem.make(uid: "a", summary: "Theirs")
    scene.local.write(mine)
    scene.remote.write(theirs)
    let first = try await scene.sync()
    #expect(first.summary.conflicts == 1)
    #expect(first.plan.contains(": conflict"))
    let stored = try await scene.ledger.conflicts(of: scene.binding)
    #expect(stored.map(\.local) == [mine.serialized()])
    #expect(stored.map(\.remote) == [theirs.serialized()])
    #expect(stored.map(\.base) == [TestItem.make(uid: "a", summary: "Base").serialized()])
    #expect(scene.titles == (["a": "Mine"], ["a": "Theirs"]))

    let second = try await scene.sync()
    #expect(second.summary.conflicts == 1)
    #expect(second.plan.contains(": awaits-choice"))
    try await scene.expectRest()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == stored)
  }

  @Test("A conflict is over when one side takes the other's version", arguments: [true, false])
  func conflictResolved(takesLocal: Bool) async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Base"])
    scene.local.write(TestItem.make(uid: "a", summary: "Mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "Theirs"))
    try await scene.sync()
    if takesLocal {
      scene.remote.write(TestItem.make(uid: "a", summary: "Mine"))
    } else {
      scene.local.write(TestItem.make(uid: "a", summary: "Theirs"))
    }
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    scene.expectBoth(["a": takesLocal ? "Mine" : "Theirs"])
    try await scene.expectRest()
  }

  @Test("A waiting conflict whose two versions go away is forgotten")
  func conflictVanishes() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "Mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "Theirs"))
    #expect(try await scene.sync().summary.conflicts == 1)
    scene.local.remove("a")
    scene.remote.remove("a")
    try await scene.sync()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    try await scene.expectRest()
  }

  @Test("A conflict that waits is not new because the remote gave it another tag")
  func conflictUnderChurn() async throws {
    let scene = SyncScene(quirks: .churnsTags)
    try await scene.agree(on: ["a": "Base"])
    scene.local.write(TestItem.make(uid: "a", summary: "Mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "Theirs"))
    try await scene.sync()
    #expect(try await scene.sync().plan.contains(": awaits-choice"))
  }

  @Test("A waiting conflict counts as one while a side cannot be read")
  func conflictUnreadable() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Base"])
    scene.local.write(TestItem.make(uid: "a", summary: "Mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "Theirs"))
    try await scene.sync()
    scene.local.write([], as: "a.ics")
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(try await scene.ledger.conflicts(of: scene.binding).count == 1)
  }

  @Test("An edit outlives a deletion, on both sides", arguments: [true, false])
  func deleteAgainstEdit(deletesLocally: Bool) async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Lunch"])
    let edit = TestItem.make(uid: "a", summary: "Late lunch")
    if deletesLocally {
      scene.local.remove("a")
      scene.remote.write(edit)
    } else {
      scene.remote.remove("a")
      scene.local.write(edit)
    }
    let outcome = try await scene.sync()
    #expect(outcome.plan.contains("edit-over-deletion-"))
    scene.expectBoth(["a": "Late lunch"])
    try await scene.expectRest()
  }

  @Test("The same edit on both sides is agreed on without a request")
  func sameEdit() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Lunch"])
    scene.local.write(TestItem.make(uid: "a", summary: "Late lunch"))
    scene.remote.write(TestItem.make(uid: "a", summary: "Late lunch"))
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["record a"])
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("The same items on both sides are bound by the first sync without a request")
  func bind() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a"))
    scene.remote.write(TestItem.make(uid: "a"))
    try await scene.sync()
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("A guard stops everything, and allowing the number lets it through")
  func guardStops() async throws {
    var scene = SyncScene()
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (1...8).map { ("i\($0)", "\($0)") }))
    for number in 1...3 { scene.remote.remove("i\(number)") }
    scene.local.write(TestItem.make(uid: "new"))
    let stopped = scene
    let runs = await scene.ledger.runCount
    try await scene.expectUntouched {
      let outcome = try await stopped.sync()
      #expect(outcome.summary.stoppedByGuard)
      #expect(outcome.plan.hasSuffix("stopped: missing (delete-local; 3 of 8)"))
    }
    #expect(await scene.ledger.runCount == runs)
    scene.options.safeguards.allowed = 3
    let outcome = try await scene.sync()
    #expect(!outcome.summary.stoppedByGuard)
    #expect(outcome.summary.deletedLocally == 3)
    #expect(scene.remote.items.count == 6)
    try await scene.expectRest()
  }

  @Test("A dry run writes nothing anywhere")
  func dryRun() async throws {
    var scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    scene.remote.write(TestItem.make(uid: "b", summary: "edited"))
    scene.local.remove("c")
    scene.remote.write(TestItem.make(uid: "new"))
    scene.options.isDryRun = true
    let dry = scene
    let runs = await scene.ledger.runCount
    let settled = await scene.ledger.settled
    try await scene.expectUntouched {
      let outcome = try await dry.sync()
      #expect(
        outcome.verbs == [
          "update-remote a", "update-local b", "delete-remote c", "create-local new",
        ])
      let isOnlyPlanned = outcome.events.allSatisfy { event in
        switch event {
        case .planned, .progress: true
        case .done, .deferred, .failed, .lost, .property, .propertiesFailed: false
        }
      }
      #expect(isOnlyPlanned)
      #expect(outcome.events.first == .progress(SyncProgress(.reading, done: 0, total: 0)))
    }
    #expect(scene.remote.writes == [])
    #expect(await scene.ledger.runCount == runs)
    #expect(await scene.ledger.settled == settled)
    #expect(!scene.faults.calls.suffix(4).contains { $0.hasPrefix("beginRun") })
  }

  @Test("Entries of another binding are not used: nothing is deleted, all is matched anew")
  func rebinding() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    let other = MemoryRemote("other", faults: scene.faults)
    let runner = SyncEngine(
      name: "home", local: scene.local, remote: other, tier: .full, ledger: scene.ledger,
      now: { .init(secondsSinceEpoch: 0) }, report: { _ in })
    let summary = try await runner.run()
    #expect(summary.uploaded == 2)
    #expect(scene.local.items.count == 2)
    #expect(other.items.count == 2)
  }
}
