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
        skip "Late lunch" (changed): added earlier and changed here since; changing it there needs \
        full access
        skip "deleted" (deleted): added earlier and deleted here since; deleting it there needs \
        full access
        skip "Dear diary" (journal): only events can be added; this needs full access
        skip "Milk" (reminder): reminders need full access
        skip "torn.ics" (torn.ics): the local file is not changed: expected BEGIN:VCALENDAR, found no \
        calendar
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
      #expect(outcome.plan.contains("the last add was cut off"))
      #expect(scene.remote.items.count == 1)
      #expect(try await scene.sync().plan == "")
    }
  }

  @Test("What is there already, by whomever, is not told as added, and is known from then on")
  func thereAlready() async throws {
    let scene = scene()
    let item = TestItem.make(uid: "a", summary: "here")
    scene.local.write(item)
    scene.remote.write(item)
    #expect(try await scene.sync().summary.appended == 0)
    scene.remote.clearLog()
    #expect(try await scene.sync().summary.appended == 0)
    #expect(scene.remote.log == ["open appender"])
  }

  @Test("What changed after its add was cut off is reported, for what is there is the old form")
  func changedAfterCutOff() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(after: "append a")
    scene.local.write(TestItem.make(uid: "a", summary: "Late lunch"))
    try await scene.sync()
    #expect(scene.remote.items["a"]?.title == "Lunch")
    #expect(try await scene.sync().plan.contains("changed here since"))
  }

  @Test("What was deleted after its add was cut off is reported")
  func deletedAfterCutOff() async throws {
    let scene = scene()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(after: "append a")
    scene.local.remove("a")
    #expect(try await scene.sync().plan.contains("whether it is there is not known"))
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
    #expect(try await scene.plan().description == "append \"Lunch\" (a): new here")
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
