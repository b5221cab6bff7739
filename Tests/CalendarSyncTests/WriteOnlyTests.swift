// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A sync with write-only access")
struct WriteOnlyTests {
  private func scene(_ quirks: MemoryRemote.Quirks = []) -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.tier = .writeOnly
    return scene
  }

  @Test("Each event is added once and never again, and nothing is read")
  func once() async throws {
    let scene = scene()
    scene.remote.write(TestItem.make(uid: "theirs"))
    scene.local.write(TestItem.make(uid: "a"))
    scene.local.write(TestItem.make(uid: "b"))
    #expect(try await scene.sync().summary.appended == 2)
    scene.local.write(TestItem.make(uid: "c"))
    #expect(try await scene.sync().summary.appended == 1)
    #expect(try await scene.sync().summary.appended == 0)
    #expect(
      scene.remote.log == [
        "open appender", "append a", "append b", "open appender", "append c", "open appender",
      ])
    #expect(scene.local.items.count == 3)
  }

  @Test("What was added is not added again by another sync to the same remote")
  func otherSync() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.sync()
    let runner = SyncEngine(
      name: "other", local: scene.local, remote: scene.remote, tier: .writeOnly,
      ledger: scene.ledger, now: { .init(secondsSinceEpoch: 0) }, report: { _ in })
    #expect(try await runner.run().appended == 0)
    #expect(scene.remote.writes == ["append a"])
  }

  @Test("An event that was changed or deleted since is reported, and so is every reminder")
  func reports() async throws {
    let scene = scene()
    for uid in ["changed", "deleted", "kept"] { scene.local.write(TestItem.make(uid: uid)) }
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "changed", summary: "Late lunch"))
    scene.local.remove("deleted")
    scene.local.write(TestItem.make(uid: "reminder", summary: "Milk", kind: .reminder))
    scene.local.write(TestItem.make(uid: "journal", summary: "Dear diary", kind: .journal))
    scene.local.write([], as: "torn.ics")
    scene.remote.clearLog()
    let outcome = try await scene.sync()
    #expect(
      outcome.plan == """
        skip "Late lunch" (changed): changed-after-addition
        skip "deleted" (deleted): deleted-after-addition
        skip "Dear diary" (journal): not-an-event
        skip "Milk" (reminder): not-an-event (reminder)
        skip "torn.ics" (torn.ics): local-file (expected BEGIN:VCALENDAR, found no \
        calendar)
        """)
    #expect(scene.remote.writes == [])
  }

  @Test("An add that was cut off is tried again, and told as there if it got through")
  func cutOff() async throws {
    for isBefore in [true, false] {
      let scene = scene()
      scene.local.write(TestItem.make(uid: "a"))
      if isBefore {
        try await scene.crash(before: "append a")
      } else {
        try await scene.crash(after: "append a")
      }
      let outcome = try await scene.sync()
      #expect(outcome.plan.contains("addition-interrupted"))
      #expect(scene.remote.items.count == 1)
      #expect(try await scene.sync().plan == "")
    }
  }

  @Test("A taken place is a failure in each run, until the place is free or the event is gone")
  func taken() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "a", summary: "here"))
    scene.local.write(TestItem.make(uid: "b"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs"))
    for run in 1...4 {
      let outcome = try await scene.sync()
      #expect(outcome.summary.appended == (run == 1 ? 1 : 0))
      #expect(outcome.summary.failed == 1)
      #expect(problems(outcome) == ["a"])
      #expect(
        try await scene.ledger.appended(to: scene.binding.remote).map(\.uid.rawValue) == ["b"])
      scene.now += 60
    }
    #expect(scene.remote.items["a"]?.title == "theirs")
    scene.remote.remove("a")
    scene.now += 8 * 86_400
    #expect(try await scene.sync().summary.appended == 1)
    #expect(scene.remote.items["a"]?.title == "here")
    #expect(try await scene.sync().summary == RunSummary())
  }

  /// The events whose places are taken, as a run reports them.
  private func problems(_ outcome: SyncScene.Outcome) -> [String] {
    outcome.events.flatMap { event -> [UID] in
      switch event {
      case .failed(let operation, .placeTaken): [operation.uid]
      case .planned(let plan):
        plan.operations.filter { $0.obstacle?.cause == .placeTaken }.map(\.uid)
      default: []
      }
    }.map(\.rawValue)
  }

  @Test("What was added is not known after the ledger was lost, and no arrival is claimed")
  func lostLedger() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.sync()
    scene = SyncScene(
      faults: scene.faults, local: scene.local, remote: scene.remote,
      ledger: MemoryLedger(faults: scene.faults))
    scene.tier = .writeOnly
    let outcome = try await scene.sync()
    #expect(problems(outcome) == ["a"])
    #expect(outcome.summary.appended == 0)
    // Full access compares the two, and records that they agree.
    scene.tier = .full
    #expect(try await scene.sync().summary.conflicts == 0)
    scene.tier = .writeOnly
    #expect(try await scene.sync().summary == RunSummary())
    #expect(scene.remote.contents.count == 1)
  }

  @Test("An interrupted addition to a place that was taken before did not arrive")
  func takenAndInterrupted() async throws {
    for fault in [FaultPlan.Fault.loseAnswer, .crashBefore, .crashAfter] {
      for isRewritten in [false, true] {
        var scene = scene()
        scene.local.write(TestItem.make(uid: "a", summary: "here"))
        scene.remote.write(TestItem.make(uid: "a", summary: "theirs"))
        try await scene.sync()
        scene.faults.restart(named: ["append a": fault])
        _ = try? await scene.sync()
        scene.faults.restart()
        if isRewritten {
          scene.local.remove("a")
          try await scene.sync()
          scene.local.write(TestItem.make(uid: "a", summary: "here again"))
        }
        scene.now += 8 * 86_400
        #expect(problems(try await scene.sync()) == ["a"], "\(fault)")
        #expect(try await scene.ledger.appended(to: scene.binding.remote) == [])
      }
    }
  }

  @Test("An addition to another remote is no addition to this one")
  func otherRemote() async throws {
    let first = scene()
    first.local.write(TestItem.make(uid: "a", summary: "here"))
    try await first.crash(after: "append a")
    let other = MemoryRemote("other", faults: first.faults)
    other.write(TestItem.make(uid: "a", summary: "theirs"))
    var second = SyncScene(
      faults: first.faults, local: first.local, remote: other, ledger: first.ledger)
    second.tier = .writeOnly
    let outcome = try await second.sync()
    #expect(problems(outcome) == ["a"])
    #expect(outcome.summary.appended == 0)
  }

  @Test("What changed after its add was cut off is reported, for what is there is the old form")
  func changedAfterCutOff() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(after: "append a")
    scene.local.write(TestItem.make(uid: "a", summary: "Late lunch"))
    try await scene.sync()
    #expect(scene.remote.items["a"]?.title == "Lunch")
    #expect(try await scene.sync().plan.contains("changed-after-addition"))
  }

  @Test("What was deleted after its add was cut off is reported")
  func deletedAfterCutOff() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(after: "append a")
    scene.local.remove("a")
    #expect(try await scene.sync().plan.contains("deleted-after-interruption"))
  }

  @Test("A cut-off upload of a run with full access is no cut-off add")
  func otherIntents() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.remember(
      intents: ["a", "gone"].map { uid in
        Intent(
          uid: UID(uid), action: .createRemote, content: nil, fingerprint: nil, before: nil,
          href: nil, etag: nil)
      })
    #expect(try await scene.plan().description == "append \"Lunch\" (a): added-local")
  }

  @Test("A dry run adds nothing")
  func dryRun() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    scene.options.isDryRun = true
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["append a"])
    #expect(scene.remote.writes == [])
    #expect(await scene.ledger.runCount == 0)
  }

  @Test("An event that cannot be added does not stop the others")
  func failure() async throws {
    let scene = scene()
    for uid in ["a", "b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    scene.remote.refuse("b", because: "too large")
    let outcome = try await scene.sync()
    #expect(outcome.summary.appended == 2)
    #expect(outcome.summary.failed == 1)
  }

  @Test("What was added is matched by the first sync with full access, and not copied")
  func upgrade() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.sync()
    scene.tier = .full
    try await scene.sync()
    #expect(scene.remote.writes == ["append a"])
    #expect(scene.remote.items.count == 1)
    try await scene.expectRest()
  }

  @Test("What full access had synced is not added again under write-only access")
  func lowered() async throws {
    var scene = SyncScene()
    scene.remote.write(TestItem.make(uid: "a"), at: "theirs.ics")
    try await scene.sync()
    scene.tier = .writeOnly
    #expect(try await scene.sync().summary.appended == 0)
    #expect(scene.remote.items.count == 1)
  }

  @Test("What was added is known once full access is granted")
  func raised() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "a", summary: "first"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "second"))
    scene.tier = .full
    #expect(try await scene.sync().summary.conflicts == 0)
    #expect(scene.remote.items["a"]?.title == "second")
  }

  @Test("Cut off at any call, no event is there twice, even if the remote ignores conditions")
  func crashes() async throws {
    for quirks in [[], MemoryRemote.Quirks.ignoresConditions] {
      for fault in FaultPlan.Fault.allCases {
        var index = 0
        var isReached = true
        while isReached {
          let scene = scene(quirks)
          for uid in ["a", "b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
          scene.faults.restart([index: fault])
          _ = try? await scene.sync()
          isReached = scene.faults.calls.count > index
          scene.faults.restart()
          try await scene.sync()
          #expect(scene.remote.contents.count == 3, "\(fault) at call \(index)")
          scene.remote.clearLog()
          try await scene.sync()
          #expect(scene.remote.writes == [], "\(fault) at call \(index)")
          index += 1
        }
        #expect(index > 10)
      }
    }
  }
}
