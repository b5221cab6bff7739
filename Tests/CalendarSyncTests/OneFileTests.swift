// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("Many items and a local calendar in one file")
struct OneFileTests {
  private static let counts = (small: 48, large: 192)

  private static func scene(isOneFile: Bool) -> SyncScene {
    var scene = SyncScene(isOneFile: isOneFile)
    scene.options.partSize = 3
    scene.options.batchSize = 2
    scene.options.requestBatchSize = 2
    scene.options.safeguards.allowed = counts.large
    return scene
  }

  private static func items(_ count: Int, _ title: String = "") -> [CalendarItem] {
    (0..<count).map { TestItem.make(uid: "i\($0)", summary: "\(title)\($0)") }
  }

  private static func titles(_ count: Int, _ title: String = "") -> [String: String] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("i\($0)", "\(title)\($0)") })
  }

  /// The number of times that a run reads and rewrites the local calendar.
  private struct Effort {
    var reads = 0
    var rewrites = 0
  }

  private static func effort(
    _ scene: SyncScene, _ run: () async throws -> Void
  ) async throws -> Effort {
    let before = scene.local.batchCount
    scene.faults.restart()
    try await run()
    return Effort(
      reads: scene.faults.calls.count { $0 == "scan" },
      rewrites: scene.local.batchCount - before)
  }

  @Test("Four times as many new items rewrite the file twice more, also in the undo of the run")
  func downloads() async throws {
    func efforts(_ count: Int, isOneFile: Bool) async throws -> (run: Effort, undo: Effort) {
      let scene = Self.scene(isOneFile: isOneFile)
      for item in Self.items(count) { scene.remote.write(item) }
      let run = try await Self.effort(scene) { try await scene.sync() }
      scene.expectBoth(Self.titles(count))
      let undo = try await Self.effort(scene) { try await scene.undoLast() }
      #expect(scene.local.items.isEmpty)
      return (run, undo)
    }
    let small = try await efforts(Self.counts.small, isOneFile: true)
    let large = try await efforts(Self.counts.large, isOneFile: true)
    #expect(large.run.rewrites == small.run.rewrites + 2)
    #expect(large.undo.rewrites == small.undo.rewrites + 2)
    // In a folder, every part is written on its own.
    let folder = try await efforts(Self.counts.large, isOneFile: false)
    #expect(folder.run.rewrites == 2 * Self.counts.large / 3)
    #expect(folder.undo.rewrites == Self.counts.large / 2)
  }

  @Test("Each further pass reads a file once, whatever the number of its items")
  func uploads() async throws {
    func efforts(_ count: Int) async throws -> [Effort] {
      let scene = Self.scene(isOneFile: true)
      for item in Self.items(count) { scene.local.write(item) }
      let added = try await Self.effort(scene) { try await scene.sync() }
      scene.expectBoth(Self.titles(count))
      for item in Self.items(count, "new ") { scene.remote.write(item) }
      let updated = try await Self.effort(scene) { try await scene.sync() }
      scene.expectBoth(Self.titles(count, "new "))
      for number in 0..<count { scene.remote.remove("i\(number)") }
      let deleted = try await Self.effort(scene) { try await scene.sync() }
      scene.expectBoth([:])
      return [added, updated, deleted]
    }
    let (small, large) = (
      try await efforts(Self.counts.small), try await efforts(Self.counts.large)
    )
    #expect(large.map(\.reads) == small.map(\.reads))
    #expect(large.map(\.rewrites) == [0, 1, 1])
  }

  @Test("What is fetched before the remote fails is written")
  func failingFetch() async throws {
    let scene = Self.scene(isOneFile: true)
    for item in Self.items(Self.counts.small) { scene.remote.write(item) }
    let dry = Self.scene(isOneFile: true)
    for item in Self.items(Self.counts.small) { dry.remote.write(item) }
    try await dry.sync()
    let fetches = dry.faults.calls.filter { $0.hasPrefix("fetch ") }
    #expect(fetches.count == Self.counts.small / 3)
    // The last part but two is in the middle of those that are written together.
    scene.faults.restart(named: [fetches[fetches.count - 3]: .fail])
    await #expect(throws: FaultPlan.Failure.self) { try await scene.sync() }
    #expect(scene.local.items.count == Self.counts.small - 9)
    scene.faults.restart()
    try await scene.sync()
    scene.expectBoth(Self.titles(Self.counts.small))
  }

  @Test("A run that ends at any call loses nothing, and the next one completes it")
  func crashes() async throws {
    let count = 12
    let whole = Self.scene(isOneFile: true)
    for item in Self.items(count) { whole.remote.write(item) }
    let calls = try await Self.effort(whole) { try await whole.sync() }
    #expect(calls.rewrites == 4)
    for call in whole.faults.calls.indices {
      for fault in [FaultPlan.Fault.crashBefore, .crashAfter] {
        let scene = Self.scene(isOneFile: true)
        for item in Self.items(count) { scene.remote.write(item) }
        scene.local.write(TestItem.make(uid: "here"))
        scene.faults.restart([call: fault])
        await #expect(throws: FaultPlan.Crash.self) { try await scene.sync() }
        scene.faults.restart()
        try await scene.sync()
        #expect(scene.local.items.count == count + 1, "\(fault) at call \(call)")
        #expect(scene.remote.items.count == count + 1, "\(fault) at call \(call)")
        try await scene.expectRest()
      }
    }
  }
}
