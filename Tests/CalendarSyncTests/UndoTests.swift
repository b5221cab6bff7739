// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("Taking runs back")
struct UndoTests {
  /// Both sides agree on these, and then one thing of each kind happens.
  private func scene(_ quirks: MemoryRemote.Quirks = []) async throws -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.options.safeguards.deletions = 9
    let uids = ["edit-l", "edit-r", "del-l", "del-r", "merge", "still"]
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "base") }))
    scene.local.write(TestItem.make(uid: "new-l", summary: "new here"))
    scene.remote.write(TestItem.make(uid: "new-r", summary: "new there"))
    scene.local.write(TestItem.make(uid: "edit-l", summary: "edited here"))
    scene.remote.write(TestItem.make(uid: "edit-r", summary: "edited there"))
    scene.local.remove("del-l")
    scene.remote.remove("del-r")
    scene.local.write(TestItem.make(uid: "merge", summary: "merged"))
    scene.remote.write(TestItem.make(uid: "merge", summary: "base", location: "there"))
    try await scene.sync()
    return scene
  }

  /// What each side holds once the run was taken back: the other side of what it wrote keeps its edit.
  private static let taken = (
    local: [
      "edit-l": "edited here", "edit-r": "base", "del-l": "base", "del-r": "base",
      "merge": "merged", "still": "base",
    ],
    remote: [
      "edit-l": "base", "edit-r": "edited there", "del-l": "base", "del-r": "base",
      "merge": "base", "still": "base",
    ]
  )

  @Test(
    "What the run wrote goes back, the edits stay where they were made, and the next runs keep both",
    arguments: quirks)
  func all(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = try await scene(quirks)
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    #expect(scene.titles.local == Self.taken.local.merging(["new-l": "new here"]) { $1 })
    #expect(scene.titles.remote == Self.taken.remote.merging(["new-r": "new there"]) { $1 })
    #expect(scene.location("merge").local == nil)
    #expect(scene.location("merge").remote == "there")
    for _ in 1...3 {
      let outcome = try await scene.sync()
      #expect(outcome.summary.conflicts == 3, "what differs is reported")
    }
    let added = ["new-l": "new here", "new-r": "new there"]
    #expect(scene.titles.local == Self.taken.local.merging(added) { $1 })
    #expect(scene.titles.remote == Self.taken.remote.merging(added) { $1 })
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.writes == [])
  }

  static let quirks: [MemoryRemote.Quirks] = [
    MemoryRemote.Quirks(), .noTagAfterWrite, .churnsTags, .dropsUnknown, .keepsCursors,
    [.rewrites, .tellsTagOfRewritten], [.keepsCursors, .rewrites, .tellsTagOfRewritten],
  ]

  @Test("A run is not taken back for an item that its own side edited again")
  func editedAgain() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "edited again"))
    let outcome = try await scene.undoLast()
    #expect(outcome.plan.contains(": undo-changed-since"))
    #expect(outcome.summary.failed == 1)
    #expect(scene.titles.remote["a"] == "edited")
  }

  @Test("An added item that its own side edited again is not taken away")
  func editedAddition() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["b": "base"])
    scene.remote.write(TestItem.make(uid: "a", summary: "added"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    let outcome = try await scene.undoLast()
    #expect(outcome.plan.contains(": undo-changed-since"))
    #expect(scene.titles.local == ["a": "edited", "b": "base"])
    #expect(scene.titles.remote == ["a": "added", "b": "base"])
  }

  @Test("An added item is taken away although the side that it came from edited it again")
  func editedOrigin() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["b": "base"])
    scene.remote.write(TestItem.make(uid: "a", summary: "added"))
    try await scene.sync()
    scene.remote.write(TestItem.make(uid: "a", summary: "edited"))
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    #expect(scene.titles.local == ["b": "base"])
    #expect(scene.titles.remote == ["a": "edited", "b": "base"])
    try await scene.sync()
    scene.expectBoth(["a": "edited", "b": "base"])
  }

  @Test("Restored items are written before added ones are deleted")
  func order() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["k": "kept", "l": "kept", "z": "deleted"])
    scene.local.write(TestItem.make(uid: "a", summary: "added"))
    scene.local.remove("z")
    try await scene.sync()
    scene.remote.clearLog()
    let outcome = try await scene.undoLast()
    #expect(outcome.verbs.map { $0.suffix(1) } == ["a", "a", "z"], "in order of UID")
    #expect(scene.remote.writes == ["create z", "delete a.ics"])
  }

  @Test("What was taken back waits until a version is chosen, or a side is edited")
  func chosen() async throws {
    let scene = try await scene()
    try await scene.undoLast()
    try await scene.sync()
    let resolver = ConflictResolver(
      calendar: scene.local, ledger: scene.ledger, binding: scene.binding,
      now: { Instant(secondsSinceEpoch: 0) })
    for conflict in try await scene.ledger.conflicts(of: scene.binding) {
      switch conflict.uid.rawValue {
      case "edit-l": try await resolver.resolve(conflict, as: .remote)
      case "edit-r": try await resolver.resolve(conflict, as: .local)
      default: scene.local.write(TestItem.make(uid: "merge", summary: "edited since"))
      }
    }
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.titles.local == scene.titles.remote)
    #expect(scene.titles.local["edit-l"] == "base")
    #expect(scene.titles.local["edit-r"] == "base")
    #expect(scene.titles.local["merge"] == "edited since")
    #expect(scene.location("merge").local == "there")
    try await scene.expectRest()
  }

  @Test("What a run added here comes back with the next one, also from a remote that keeps cursors")
  func addedAndTakenBack() async throws {
    var made = SyncScene(quirks: .keepsCursors)
    made.options.verificationInterval = nil
    made.options.safeguards.allowed = 3
    let scene = made
    try await scene.agree(on: ["a": "base"])
    for uid in ["x", "y", "z"] { scene.remote.write(TestItem.make(uid: uid, summary: uid)) }
    try await scene.sync()
    try await scene.undoLast()
    #expect(scene.titles.local == ["a": "base"])
    let outcome = try await scene.sync()
    #expect(outcome.summary.downloaded == 3)
    #expect(scene.titles.local == scene.titles.remote)
    #expect(scene.titles.local.count == 4)
    try await scene.expectRest()
  }

  @Test("An item that was edited and synced since is left alone, whichever side had it first")
  func syncedSince() async throws {
    for isHere in [true, false] {
      for isEditedHere in [true, false] {
        let scene = SyncScene()
        let item = TestItem.make(uid: "a", summary: "new")
        if isHere { scene.local.write(item) } else { scene.remote.write(item) }
        try await scene.sync()
        let first = try #require(await scene.ledger.runs(of: "home").first)
        let edited = TestItem.make(uid: "a", summary: "edited")
        if isEditedHere { scene.local.write(edited) } else { scene.remote.write(edited) }
        for _ in 1...2 { try await scene.sync() }
        scene.expectBoth(["a": "edited"])
        try await scene.expectUntouched {
          let outcome = try await scene.undo(first)
          #expect(outcome.summary.failed == 1)
          #expect(outcome.plan.contains(": undo-changed-since"))
        }
        try await scene.expectRest()
      }
    }
  }

  @Test("An upload that is taken back leaves the edit here, and is not sent again by itself")
  func upload() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    try await scene.sync()
    try await scene.undoLast()
    for _ in 1...3 {
      #expect(scene.titles.local == ["a": "edited"])
      #expect(scene.titles.remote == ["a": "base"])
      #expect(try await scene.sync().summary.conflicts == 1)
    }
    try await scene.undoLast()
    scene.expectBoth(["a": "edited"])
    try await scene.expectRest()
  }

  @Test(
    "What was taken back can be taken back, with or without a run in between", arguments: quirks)
  func twice(_ quirks: MemoryRemote.Quirks) async throws {
    for isSynced in [false, true] {
      let scene = try await scene(quirks)
      let before = scene.titles
      try await scene.undoLast()
      let undo = try #require(await scene.ledger.runs(of: "home").first { $0.undoes != nil })
      if isSynced { try await scene.sync() }
      let outcome = try await scene.undo(undo)
      #expect(outcome.summary.failed == 0, "\(outcome.plan)")
      #expect(scene.titles == before)
      #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
      for _ in 1...3 { try await scene.sync() }
      #expect(scene.titles == before)
      scene.remote.clearLog()
      try await scene.sync()
      #expect(scene.remote.writes == [])
    }
  }

  @Test("An item that somebody changed since is left alone and told")
  func changedSince() async throws {
    let scene = try await scene()
    scene.local.write(TestItem.make(uid: "edit-r", summary: "edited since"))
    scene.remote.write(TestItem.make(uid: "edit-l", summary: "edited since"))
    scene.local.write(TestItem.make(uid: "del-r", summary: "made anew"))
    scene.local.remove("new-r")
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 3)
    #expect(scene.titles.local["edit-r"] == "edited since")
    #expect(scene.titles.remote["edit-r"] == "edited there")
    #expect(scene.titles.local["edit-l"] == "edited here")
    #expect(scene.titles.remote["edit-l"] == "edited since")
    #expect(scene.titles.local["del-r"] == "made anew")
    #expect(scene.titles.local["del-l"] == "base")
  }

  @Test("An item that neither side holds has its earlier title in the plan")
  func titleOfDeleted() async throws {
    for isHere in [true, false] {
      var scene = SyncScene()
      scene.options.safeguards.deletions = 9
      try await scene.agree(on: ["a": "Alpha", "b": "Beta"])
      if isHere { scene.local.remove("a") } else { scene.remote.remove("a") }
      try await scene.sync()
      let outcome = try await scene.undoLast()
      #expect(outcome.plan.contains("\"Alpha\" (a)"), "\(outcome.plan)")
      scene.expectBoth(["a": "Alpha", "b": "Beta"])
    }
  }

  @Test("Without tags, the edit of the remote after an undo is no alteration by the server")
  func editedWithoutTags() async throws {
    let scene = SyncScene(quirks: .noTags)
    for summary in ["base", "edited"] {
      scene.remote.write(TestItem.make(uid: "a", summary: summary))
      for _ in 1...2 { try await scene.sync() }
    }
    try await scene.undoLast()
    #expect(scene.titles.local == ["a": "base"])
    let undo = try #require(await scene.ledger.runs(of: "home").first { $0.undoes != nil })
    scene.remote.write(TestItem.make(uid: "a", summary: "edited later"))
    try await scene.expectUntouched {
      let outcome = try await scene.undo(undo)
      #expect(outcome.summary.failed == 1)
      #expect(outcome.plan.contains(": undo-changed-since"), "\(outcome.plan)")
    }
  }

  @Test("An edit of the remote that waits in conflict is no version that the run left there")
  func addedThenInConflict() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "base"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs"))
    try await scene.sync()
    try await scene.expectUntouched {
      let outcome = try await scene.undoLast()
      #expect(outcome.summary.failed == 1)
    }
    #expect(scene.titles.remote == ["a": "theirs"])
  }

  @Test("Undoing a run that merged part of a conflict loses neither edit, and the rest waits on")
  func mergedInConflict() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs", location: "mill"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.main?[.location]?.rawValue == "mill")
    try await scene.undoLast()
    for _ in 1...2 {
      #expect(scene.titles.local == ["a": "mine"])
      #expect(scene.titles.remote == ["a": "theirs"])
      #expect(scene.location("a").local == nil)
      #expect(scene.location("a").remote == "mill")
      #expect(try await scene.sync().summary.conflicts == 1)
    }
  }

  @Test("Whatever goes wrong while a run is taken back, nothing is doubled and the sides agree")
  func everyCall() async throws {
    let untroubled = try await scene()
    untroubled.faults.restart()
    try await untroubled.undoLast()
    let count = untroubled.faults.calls.count
    #expect(count > 20)
    for (kind, fault) in FaultPlan.Fault.allCases.enumerated() {
      for index in sampled(0..<count, from: kind) {
        var scene = try await scene()
        scene.faults.restart([index: fault])
        _ = try? await scene.undoLast()
        scene.faults.restart()
        scene.now += 8 * 86_400
        for _ in 1...3 { try await scene.sync() }
        let what: Comment = "\(fault) at call \(index), \(untroubled.faults.calls[index])"
        let waiting = try await scene.ledger.conflicts(of: scene.binding)
        let open = Set(waiting.map(\.uid.rawValue))
        #expect(
          scene.titles.local.filter { !open.contains($0.key) }
            == scene.titles.remote.filter { !open.contains($0.key) }, what)
        #expect(scene.titles.local["new-l"] == "new here", what)
        #expect(scene.titles.local["new-r"] == "new there", what)
        #expect(scene.titles.local["still"] == "base", what)
        // Either the edit or what it replaced, and a deleted item is back or gone; nothing else.
        #expect(["base", "edited here"].contains(scene.titles.local["edit-l"]), what)
        #expect(["base", "edited there"].contains(scene.titles.local["edit-r"]), what)
        #expect(["base", "merged"].contains(scene.titles.local["merge"]), what)
        try await scene.expectRest()
      }
    }
  }

  @Test("An item that another program added again at another place is not added a second time")
  func addedAgainElsewhere() async throws {
    var scene = SyncScene()
    // It is the only item of a side.
    scene.options.safeguards.allowed = 1
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    try await scene.sync()
    try await scene.undoLast()
    #expect(scene.remote.items.isEmpty)
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs"), at: "theirs.ics")
    scene.remote.clearLog()
    try await scene.undoLast()
    #expect(scene.remote.writes == [])
    #expect(scene.titles.remote == ["a": "theirs"])
  }

  @Test("Without full access nothing is contacted")
  func writeOnly() async throws {
    var full = try await scene()
    full.tier = .writeOnly
    full.remote.clearLog()
    let scene = full
    await #expect(throws: AccessError.self) { try await scene.undoLast() }
    #expect(scene.remote.log == [])
  }
}
