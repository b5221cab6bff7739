// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("A write that was done although its answer was lost")
struct LostAnswerTests {
  private static let faults: [FaultPlan.Fault] = [.loseAnswer, .crashAfter]

  /// A meeting of some people.
  private func meeting(
    _ summary: String, _ people: [String], location: String = "here"
  ) -> CalendarItem {
    let text = TestItem.text(uid: "a", summary: summary)
    let lines = people.map { "ATTENDEE:mailto:\($0)@example.org\r\n" }.joined()
    return TestItem.parse(
      text.replacing("SEQUENCE:", with: "LOCATION:\(location)\r\n" + lines + "SEQUENCE:"))
  }

  private func people(_ item: CalendarItem?) -> [String] {
    (item?.main?.properties(named: .attendee) ?? []).map {
      String($0.rawValue.dropFirst(7).prefix(1))
    }
  }

  /// Runs a sync in which a call goes wrong.
  private func sync(_ scene: SyncScene, losing call: String, _ fault: FaultPlan.Fault) async throws
  {
    scene.faults.restart(named: [call: fault])
    do {
      try await scene.sync()
    } catch is FaultPlan.Crash {}
    scene.faults.restart()
  }

  @Test("An addition that the remote refuses closes what an earlier run had begun")
  func refusedAddition() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(before: "create a")
    #expect(try await scene.ledger.pendingIntents(of: scene.binding).count == 1)
    scene.remote.refuse("a", because: "no")
    #expect(try await scene.sync().summary.failed == 1)
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }

  @Test("An edit there after the lost answer to an addition is no conflict", arguments: faults)
  func createdAndEdited(_ fault: FaultPlan.Fault) async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    try await sync(scene, losing: "create a", fault)
    scene.remote.write(meeting("2", ["x"]))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "2"])
    #expect(people(scene.local.items["a"]) == ["x"])
    try await scene.expectRest()
  }

  @Test("Edits of both sides after the lost answer to an addition are merged", arguments: faults)
  func createdAndEditedTwice(_ fault: FaultPlan.Fault) async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    try await sync(scene, losing: "create a", fault)
    scene.remote.write(meeting("2", ["x", "y"]))
    scene.local.write(meeting("1", ["x"]))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "2"])
    #expect(people(scene.local.items["a"]) == ["x"])
    #expect(people(scene.remote.items["a"]) == ["x"])
  }

  @Test(
    "An edit there after the lost answer to a change is merged with what was sent",
    arguments: faults)
  func updatedAndEdited(_ fault: FaultPlan.Fault) async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("2", ["x"], location: "hall"))
    try await sync(scene, losing: "update a", fault)
    // The title is edited on top of what was sent; here one person comes back.
    scene.remote.write(meeting("3", ["x"], location: "hall"))
    scene.local.write(meeting("2", ["x", "z"], location: "hall"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "3"])
    #expect(people(scene.remote.items["a"]) == ["x", "z"])
    try await scene.expectRest()
  }

  @Test(
    "A change that did not get through is still an edit of this side",
    arguments: [FaultPlan.Fault.fail, .crashBefore])
  func notUpdated(_ fault: FaultPlan.Fault) async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("2", ["x"]))
    try await sync(scene, losing: "update a", fault)
    scene.remote.write(meeting("1", ["x", "y"], location: "hall"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "2"])
    #expect(people(scene.remote.items["a"]) == ["x"])
    #expect(scene.local.items["a"]?.main?[.location]?.text == "hall")
  }

  @Test("A run that fails in between leaves the older intent, and what was removed stays removed")
  func failedBetween() async throws {
    let scene = SyncScene(quirks: .listsLate)
    // The first listing is kept by the remote, and told once more.
    try await scene.sync()
    scene.local.write(meeting("1", ["x", "y"]))
    scene.faults.restart(named: ["create a": .loseAnswer])
    try await scene.sync()
    scene.faults.restart()
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...4 { try await scene.sync() }
    #expect(people(scene.local.items["a"]) == ["x"])
    #expect(people(scene.remote.items["a"]) == ["x"])
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }

  @Test("A file that is changed in between leaves the older intent")
  func changedBetween() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    try await sync(scene, losing: "create a", .loseAnswer)
    scene.remote.write(meeting("2", ["x", "y"]))
    scene.remote.refuse("a", because: "not now")
    scene.local.write(meeting("1", ["x"]))
    try await scene.sync()
    scene.remote.refuse("a", because: nil)
    for _ in 1...3 { try await scene.sync() }
    #expect(people(scene.local.items["a"]) == ["x"])
    #expect(people(scene.remote.items["a"]) == ["x"])
  }

  @Test("A conflict after a lost answer keeps what was sent as what both sides agree on")
  func conflict() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    try await sync(scene, losing: "create a", .loseAnswer)
    scene.remote.write(meeting("2", ["x", "y"]))
    scene.local.write(meeting("3", ["x"]))
    for _ in 1...2 {
      let outcome = try await scene.sync()
      #expect(outcome.summary.conflicts == 1)
    }
    #expect(people(scene.remote.items["a"]) == ["x"])
    #expect(people(scene.local.items["a"]) == ["x"])
    #expect(scene.titles.local == ["a": "3"])
    #expect(scene.titles.remote == ["a": "2"])
  }

  @Test("A download that was cut off and then edited here is no conflict")
  func downloaded() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    for _ in 1...2 { try await scene.sync() }
    scene.remote.write(meeting("2", ["x"], location: "hall"))
    try await sync(scene, losing: "updateLocal a", .crashAfter)
    scene.local.write(meeting("3", ["x"], location: "hall"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "3"])
    #expect(people(scene.remote.items["a"]) == ["x"])
  }

  @Test("A part that another program dropped does not prove a write that would have dropped it")
  func droppedByAnotherProgram() async throws {
    for isLocal in [true, false] {
      let scene = SyncScene()
      scene.local.write(meeting("1", []))
      try await scene.sync()
      // The edit drops the location.
      if isLocal {
        scene.remote.write(TestItem.make(uid: "a", summary: "2"))
        try await scene.crash(before: "updateLocal a")
        scene.local.write(TestItem.make(uid: "a", summary: "3"))
      } else {
        scene.local.write(TestItem.make(uid: "a", summary: "2"))
        try await scene.crash(before: "update a")
        scene.remote.write(TestItem.make(uid: "a", summary: "3"))
      }
      #expect(try await scene.sync().summary.conflicts == 1)
      #expect(scene.titles.local == ["a": isLocal ? "3" : "2"])
      #expect(scene.titles.remote == ["a": isLocal ? "2" : "3"])
    }
  }

  @Test("A failed condition closes the intent of its own tag, and keeps the earlier one")
  func otherTag() async throws {
    let scene = SyncScene()
    let base = TestItem.make(uid: "b", summary: "base")
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "b", summary: "edited"))
    scene.faults.restart(named: ["update b": .fail])
    _ = try? await scene.sync()
    scene.faults.restart()
    let earlier = try await scene.ledger.pendingIntents(of: scene.binding)
    #expect(earlier.map(\.uid) == [UID("b")])
    // The remote item gets another tag, and is edited once the plan is made.
    scene.remote.write(base)
    let remote = scene.remote
    let engine = SyncEngine(
      name: scene.name, local: scene.local, remote: remote, tier: .full, ledger: scene.ledger,
      now: { Instant(secondsSinceEpoch: 0) },
      report: { event in
        guard case .planned = event else { return }
        remote.write(TestItem.make(uid: "b", summary: "theirs"))
      })
    #expect(try await engine.run().deferred == 1)
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == earlier)
  }

  @Test("A failed condition closes the intent that agrees on less, and keeps the earlier one")
  func otherAgreement() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("base", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    // The title is in conflict, and only the location is sent.
    scene.local.write(meeting("mine", ["x"], location: "hall"))
    scene.remote.write(meeting("theirs", ["x"]))
    scene.faults.restart(named: ["update a": .fail])
    _ = try? await scene.sync()
    scene.faults.restart()
    let earlier = try await scene.ledger.pendingIntents(of: scene.binding)
    let sent = try #require(earlier.first?.content)
    #expect(earlier.first?.mergedWith != nil)
    // The conflict is settled in the file: the same content is sent, and both sides agree on it.
    scene.local.write(try CalendarItem(parsing: sent))
    let remote = scene.remote
    let later = meeting("later", ["x"])
    let engine = SyncEngine(
      name: scene.name, local: scene.local, remote: remote, tier: .full, ledger: scene.ledger,
      now: { Instant(secondsSinceEpoch: 0) },
      report: { event in
        guard case .planned = event else { return }
        remote.write(later)
      })
    #expect(try await engine.run().deferred == 1)
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == earlier)
  }

  @Test(
    "A change that did not get through is in conflict with an edit of the same property",
    arguments: [FaultPlan.Fault.fail, .crashBefore])
  func notUpdatedAndEdited(_ fault: FaultPlan.Fault) async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("2", ["x"]))
    try await sync(scene, losing: "update a", fault)
    scene.remote.write(meeting("3", ["x"]))
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(scene.titles.local == ["a": "2"])
    #expect(scene.titles.remote == ["a": "3"])
  }

  @Test("A tag that is still the one of the condition shows that the change did not get through")
  func sameTag() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("2", ["x"], location: "hall"))
    try await sync(scene, losing: "update a", .fail)
    // An edit under the same tag agrees with a part of what was to be sent.
    scene.remote.replaceSilently("a", by: meeting("2", ["x"], location: "garden"))
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(scene.location("a").local == "hall")
    #expect(scene.location("a").remote == "garden")
  }

  @Test("The version from before two lost changes is written by neither of them")
  func neitherUpdated() async throws {
    let scene = SyncScene(quirks: .churnsTags)
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    // The second change takes the title back, so that only the place differs from the remote.
    for title in ["2", "1"] {
      scene.local.write(meeting(title, ["x"], location: "hall"))
      try await sync(scene, losing: "update a", .fail)
    }
    try await scene.sync()
    #expect(scene.local.items["a"]?.main?[.location]?.text == "hall")
    #expect(scene.remote.items["a"]?.main?[.location]?.text == "hall")
  }

  @Test("Of several additions, the one with the fewest differences was carried out")
  func nearestAddition() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x", "y"]))
    try await scene.crash(before: "create a")
    scene.local.write(meeting("1", ["x"], location: "hall"))
    try await scene.crash(before: "create a")
    scene.remote.write(meeting("2", ["x", "y"]))
    try await scene.sync()
    scene.expectBoth(["a": "2"])
    #expect(people(scene.remote.items["a"]) == ["x"])
    #expect(scene.remote.items["a"]?.main?[.location]?.text == "hall")
  }

  @Test("An item at another place than the one of the addition was not added by it")
  func otherPlace() async throws {
    for place in ["/cal/other.ics", "/cal/xa.ics", "/cal/b.ics", "b.ics"] {
      let scene = SyncScene()
      scene.local.write(meeting("1", ["x", "y"]))
      try await scene.crash(before: "create a")
      scene.remote.write(meeting("1", ["x"]), at: place)
      let outcome = try await scene.sync()
      // Without a common base, the side that changed the attendees is unknown.
      #expect(people(scene.local.items["a"]) == ["x", "y"], "\(place) \(outcome.summary)")
    }
  }

  @Test("An item of another kind at the place of an addition was not added by it")
  func otherKind() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(before: "create a")
    scene.remote.write(TestItem.parse(TestItem.text(uid: "a", kind: .reminder)))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 1)
    #expect(scene.local.items["a"]?.kind == .event)
  }

  @Test("Each of several lost changes is compared with the one before it")
  func changesInARow() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    for version in [meeting("2", ["x"]), meeting("2", ["x"], location: "hall")] {
      scene.local.write(version)
      try await scene.crash(before: "update a")
    }
    // The title is taken back on top of the second change.
    scene.remote.write(meeting("1", ["x"], location: "hall"))
    try await scene.sync()
    scene.expectBoth(["a": "1"])
    #expect(scene.remote.items["a"]?.main?[.location]?.text == "hall")
    #expect(scene.local.items["a"]?.main?[.location]?.text == "hall")
  }

  @Test("Each of several lost downloads is compared with the one before it")
  func downloadsInARow() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    for version in [meeting("2", ["x"]), meeting("2", ["x"], location: "hall")] {
      scene.remote.write(version)
      try await scene.crash(before: "updateLocal a")
    }
    // The title is taken back on top of the second change.
    scene.local.write(meeting("1", ["x"], location: "hall"))
    try await scene.sync()
    scene.expectBoth(["a": "1"])
    #expect(scene.location("a").remote == "hall")
  }

  @Test("An edit there after the lost answer to an addition without read access is no conflict")
  func appendedAndEdited() async throws {
    var scene = SyncScene()
    scene.tier = .writeOnly
    scene.local.write(meeting("1", ["x", "y"]))
    try await sync(scene, losing: "append a", .crashAfter)
    scene.tier = .full
    scene.remote.write(meeting("2", ["x"]))
    #expect(try await scene.sync().summary.conflicts == 0)
    scene.expectBoth(["a": "2"])
    #expect(people(scene.local.items["a"]) == ["x"])
  }

  @Test("A version that lacks what the server had added shows no change from here")
  func replacedThere() async throws {
    let scene = SyncScene(quirks: .rewrites)
    scene.local.write(meeting("1", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("2", ["x"]))
    try await sync(scene, losing: "update a", .crashBefore)
    // Another program replaces the item as a whole.
    scene.remote.write(meeting("3", ["x"]))
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(scene.titles.local == ["a": "2"])
    #expect(scene.titles.remote == ["a": "3"])
  }

  @Test(
    "A write after a download is traced, although neither has an outcome",
    arguments: MergePolicy.allCases)
  func downloadedAndSent(_ policy: MergePolicy) async throws {
    var scene = SyncScene(reductions: .texts)
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    scene.local.write(meeting("Lunch at home", ["x"]))
    for _ in 1...2 { try await scene.sync() }
    let held = try #require(scene.remote.items["a"])
    scene.remote.write(RichItem.setting("LOCATION", to: "there", in: held))
    scene.local.write(meeting("Dinner in the garden", ["x"]))
    try await scene.crash(after: "updateLocal a")
    try await scene.crash(after: "update a")
    #expect(scene.titles.remote == ["a": "Dinner i"])
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.titles.local == ["a": "Dinner in the garden"])
    #expect(scene.location("a").local == "there")
    #expect(scene.location("a").remote == "there")
    try await scene.expectRest()
  }

  @Test("A change whose value the server cut got through although its answer was lost")
  func cut() async throws {
    let scene = SyncScene(quirks: .cutsValues)
    scene.local.write(meeting("1", ["x"], location: "hall"))
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(meeting("1", ["x"], location: "garden, left"))
    try await sync(scene, losing: "update a", .loseAnswer)
    scene.remote.write(meeting("2", ["x"], location: "garden"))
    #expect(try await scene.sync().summary.conflicts == 0)
    scene.expectBoth(["a": "2"])
    #expect(scene.location("a").local == "garden, left")
  }
}
