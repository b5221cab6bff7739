// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("Settling a conflict")
struct ConflictResolverTests {
  /// A conflict in the summary of "a", whose location only the remote side edited.
  private func scene() async throws -> SyncScene {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs", location: "there"))
    try await scene.sync()
    return scene
  }

  private func resolver(_ scene: SyncScene) -> ConflictResolver {
    ConflictResolver(
      calendar: scene.local, ledger: scene.ledger, binding: scene.binding,
      now: { Instant(secondsSinceEpoch: 0) })
  }

  private func resolve(_ scene: SyncScene, as choice: ConflictResolver.Choice) async throws {
    let waiting = try await scene.ledger.conflicts(of: scene.binding)
    try await resolver(scene).resolve(try #require(waiting.first), as: choice)
  }

  private func location(_ items: [String: CalendarItem]) -> String? {
    items["a"]?.main?[.location]?.text
  }

  struct Case: CustomTestStringConvertible {
    let choice: ConflictResolver.Choice
    let summary: String
    var testDescription: String { summary }
  }

  static let cases = [
    Case(choice: .local, summary: "mine"), Case(choice: .remote, summary: "theirs"),
    Case(
      choice: .edited(TestItem.make(uid: "a", summary: "ours", location: "there")),
      summary: "ours"),
  ]

  @Test("The local version is not written again if it is chosen")
  func chosenHere() async throws {
    let scene = try await scene()
    let before = scene.local.contents
    scene.faults.restart()
    try await resolve(scene, as: .local)
    #expect(scene.local.contents == before)
    #expect(!scene.faults.calls.contains("updateLocal a"))
    #expect(await scene.ledger.summaries.last == RunSummary())
  }

  @Test(
    "The choice is on both sides after the next sync, with what was not in conflict",
    arguments: cases)
  func settles(_ row: Case) async throws {
    let scene = try await scene()
    scene.remote.clearLog()
    try await resolve(scene, as: row.choice)
    #expect(scene.remote.log == [], "nothing is asked of the remote")
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": row.summary, "b": "base"])
    #expect(location(scene.local.items) == "there")
    #expect(location(scene.remote.items) == "there")
    try await scene.expectRest()
  }

  @Test("It tells whether the remote lacks the choice")
  func sent() async throws {
    let rows: [(ConflictResolver.Choice, Bool)] = [
      (.local, true), (.remote, false), (.both, true),
      (.edited(TestItem.make(uid: "a", summary: "ours", location: "there")), true),
    ]
    for (choice, isSent) in rows {
      let scene = try await scene()
      let waiting = try await scene.ledger.conflicts(of: scene.binding)
      let result = try await resolver(scene).resolve(try #require(waiting.first), as: choice)
      #expect(result == isSent, "\(choice)")
      let uploaded = try await scene.sync().summary.uploaded
      #expect((uploaded > 0) == isSent, "\(choice)")
    }
  }

  @Test(
    "An undo restores the version from before the choice, and the conflict is pending again",
    arguments: cases.dropFirst(), [false, true])
  func undone(_ row: Case, isSynced: Bool) async throws {
    let scene = try await scene()
    try await resolve(scene, as: row.choice)
    let choice = try #require(await scene.ledger.runs(of: scene.name).first)
    #expect(choice.isChoice)
    if isSynced { try await scene.sync() }
    let outcome = try await scene.undo(choice)
    #expect(outcome.summary.failed == 0, "\(outcome.plan)")
    #expect(scene.titles.local["a"] == "mine")
    #expect(try await scene.ledger.conflicts(of: scene.binding).map(\.isTakenBack) == [true])
    let there = scene.titles.remote["a"]
    #expect(there == (isSynced ? row.summary : "theirs"))
    try await scene.sync()
    #expect(scene.titles.local["a"] == "mine" && scene.titles.remote["a"] == there)
    try await resolve(scene, as: .local)
    try await scene.sync()
    scene.expectBoth(["a": "mine", "b": "base"])
  }

  @Test(
    "A choice that wrote nothing here is undone, until a sync has sent it",
    arguments: [ConflictResolver.Choice.local, .both], [false, true])
  func undoneWithoutWrite(_ choice: ConflictResolver.Choice, isSent: Bool) async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "base"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs"))
    #expect(try await scene.sync().summary.conflicts == 1)
    try await resolve(scene, as: choice)
    let run = try #require(await scene.ledger.runs(of: scene.name).first)
    if isSent { try await scene.sync() }
    let outcome = try await scene.undo(run)
    #expect(outcome.summary.failed == (isSent ? 1 : 0), "\(outcome.plan)")
    let waiting = try await scene.ledger.conflicts(of: scene.binding)
    #expect(waiting.map(\.isTakenBack) == (isSent ? [] : [true]))
    func copies() -> Int { scene.local.items.keys.count { $0.hasPrefix("epact-copy-") } }
    let count = isSent && choice == .both ? 1 : 0
    #expect(copies() == count, "the copy goes with the choice that made it")
    try await scene.sync()
    #expect(scene.titles.local["a"] == "mine")
    #expect(scene.titles.remote["a"] == (isSent ? "mine" : "theirs"))
    guard !isSent else { return }
    // A redo does not choose again.
    let undo = try #require(await scene.ledger.runs(of: scene.name).first { $0.undoes == run.id })
    #expect(try await scene.undo(undo).summary.failed == 1)
    #expect(copies() == 0)
    #expect(try await scene.ledger.conflicts(of: scene.binding).count == 1)
    try await resolve(scene, as: .remote)
    try await scene.sync()
    #expect(scene.titles.local["a"] == "theirs" && scene.titles.remote["a"] == "theirs")
  }

  @Test("Both keeps the remote version as an item of its own, once")
  func both() async throws {
    let scene = try await scene()
    try await resolve(scene, as: .both)
    try await scene.sync()
    let copies = scene.remote.items.filter { $0.key.hasPrefix("epact-copy-") }.values
    #expect(copies.map(\.title) == ["theirs"])
    #expect(copies.first?.main?[.relatedTo]?.text == "a")
    #expect(scene.titles.local == scene.titles.remote)
    #expect(scene.titles.local["a"] == "mine")
    try await scene.expectRest()
  }

  @Test("An edit of the remote since then is merged with the choice, and not overwritten")
  func editedSince() async throws {
    let scene = try await scene()
    try await resolve(scene, as: .local)
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs", location: "elsewhere"))
    try await scene.sync()
    scene.expectBoth(["a": "mine", "b": "base"])
    #expect(location(scene.remote.items) == "elsewhere")
    #expect(location(scene.local.items) == "elsewhere")
  }

  @Test("Cut off anywhere, it is either settled or waits on, and nothing is lost")
  func cutOff() async throws {
    let untroubled = try await scene()
    untroubled.faults.restart()
    try await resolve(untroubled, as: .remote)
    let count = untroubled.faults.calls.count
    #expect(count >= 6)
    for (kind, fault) in FaultPlan.Fault.allCases.enumerated() {
      for index in sampled(0..<count, from: kind) {
        let scene = try await scene()
        scene.faults.restart([index: fault])
        _ = try? await resolve(scene, as: .remote)
        scene.faults.restart()
        try await scene.sync()
        let waiting = try await scene.ledger.conflicts(of: scene.binding)
        if waiting.isEmpty {
          scene.expectBoth(["a": "theirs", "b": "base"])
          #expect(location(scene.remote.items) == "there", "\(fault) at call \(index)")
        } else {
          #expect(scene.titles.local["a"] == "mine", "\(fault) at call \(index)")
          #expect(scene.titles.remote["a"] == "theirs", "\(fault) at call \(index)")
        }
      }
    }
  }

  @Test("What was edited by hand does not overwrite what was written here since")
  func staleEdit() async throws {
    let scene = try await scene()
    let conflict = try #require(try await scene.ledger.conflicts(of: scene.binding).first)
    scene.local.write(TestItem.make(uid: "a", summary: "later"))
    try await scene.expectUntouched {
      await #expect(throws: ConflictError.self) {
        try await resolver(scene).resolve(
          conflict, as: .edited(TestItem.make(uid: "a", summary: "ours")))
      }
    }
    #expect(try await scene.ledger.conflicts(of: scene.binding).count == 1)
  }

  @Test("What cannot be settled waits on")
  func refused() async throws {
    let scene = try await scene()
    await #expect(throws: ConflictError.self) {
      try await resolve(scene, as: .edited(TestItem.make(uid: "other")))
    }
    scene.local.remove("a")
    await #expect(throws: ConflictError.self) { try await resolve(scene, as: .local) }
    #expect(try await scene.ledger.conflicts(of: scene.binding).count == 1)
  }
}
