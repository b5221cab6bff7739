// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// RFC 6578 §3.5: a report tells the difference of two states.
///
/// What came after the first and went before the second is in neither.
@Suite("What was added, and what the remote says of it")
struct UnlistedTests {
  /// What happens between the run that adds `new` and the next one.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var quirks: MemoryRemote.Quirks = .keepsCursors
    var unsettledLimit = 500
    let happens: @Sendable (MemoryRemote) -> Void
    /// The title that both sides hold in the end; nil if it is gone.
    var title: String? = "mine"
    /// What the next run asks the remote.
    var asks = ["open calendar", "changes"]
  }

  static let cases = [
    Case(testDescription: "named: one question is enough") { _ in },
    Case(
      testDescription: "deleted there before it was named", happens: { $0.remove("new") },
      title: nil, asks: ["open calendar", "changes", "changes", "fetch new.ics"]),
    Case(
      testDescription: "moved there before it was named",
      happens: { $0.move("new", to: "other.ics") },
      asks: ["open calendar", "changes", "changes", "fetch new.ics", "fetch other.ics"]),
    Case(
      testDescription: "edited there before it was named",
      happens: { $0.write(TestItem.make(uid: "new", summary: "theirs")) }, title: "theirs",
      asks: ["open calendar", "changes", "fetch new.ics"]),
    Case(
      testDescription: "deleted there, and more was added than is noted", unsettledLimit: 0,
      happens: { $0.remove("new") }, title: nil,
      asks: ["open calendar", "changes", "fetch new.ics"]),
    Case(
      testDescription: "listed late by a remote without cursors, and more was added than is noted",
      quirks: [], unsettledLimit: 0, happens: { $0.hide("new.ics") },
      asks: ["open calendar", "list", "fetch new.ics"]),
    Case(
      testDescription: "never listed, but given: a listing is not all that there is",
      happens: { $0.hide("new.ics") },
      asks: ["open calendar", "changes", "changes", "fetch new.ics"]),
    Case(
      testDescription: "never listed by a remote without cursors, but given", quirks: [],
      happens: { $0.hide("new.ics") }, asks: ["open calendar", "list", "fetch new.ics"]),
    Case(
      testDescription: "deleted on a remote without cursors", quirks: [],
      happens: { $0.remove("new") }, title: nil,
      asks: ["open calendar", "list", "fetch new.ics"]),
    Case(
      testDescription: "listed under another name than it was added under",
      happens: { remote in
        remote.hide("new.ics")
        remote.write(TestItem.make(uid: "new", summary: "mine"), at: "given.ics")
      }, asks: ["open calendar", "changes", "changes", "fetch new.ics", "fetch given.ics"]),
  ]

  @Test("Silence about what was added tells nothing of it", arguments: cases)
  func silence(_ example: Case) async throws {
    var scene = SyncScene(quirks: example.quirks)
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.options.unsettledLimit = example.unsettledLimit
    scene.local.write(TestItem.make(uid: "new", summary: "mine"))
    try await scene.sync()
    scene.remote.clearLog()
    example.happens(scene.remote)
    let outcome = try await scene.sync()
    #expect(scene.remote.log == example.asks)
    #expect(outcome.summary.failed == 0, "\(outcome.plan)")
    #expect(scene.local.items["new"]?.title == example.title)
    #expect(scene.local.items.count == (example.title == nil ? 2 : 3))
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
    #expect(scene.local.items["new"]?.title == example.title)
  }

  @Test("What one run added is looked for until an answer names it, across runs that were cut off")
  func acrossRuns() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.local.write(TestItem.make(uid: "new", summary: "mine"))
    try await scene.sync()
    scene.remote.remove("new")
    scene.faults.restart(named: ["fetch new.ics": .fail])
    await #expect(throws: FaultPlan.Failure.self) { try await scene.sync() }
    #expect(scene.local.items.count == 3)
    scene.faults.restart()
    try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2"])
  }
}
