// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A clock that ran ahead")
struct ClockTests {
  /// 1 March 2026, noon.
  private static let today: Int64 = 1_772_366_400
  /// 2 January 2099.
  private static let ahead: Int64 = 4_070_995_200
  private static let day: Int64 = 86_400

  private func scene(_ quirks: MemoryRemote.Quirks = .keepsCursors) -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.now = Self.today
    return scene
  }

  @Test("A refused item is tried again at once", arguments: [1, 3, 12])
  func quarantine(_ failures: Int) async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "bad"))
    scene.remote.refuse("bad", because: "no")
    scene.now = Self.ahead
    for run in 0..<failures {
      scene.now = Self.ahead + Int64(run) * 8 * Self.day
      try await scene.sync()
    }
    scene.now = Self.today
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.log.contains("create bad"))
    let held = try await scene.ledger.quarantine(of: scene.binding)
    #expect(held.map(\.since) == [Instant(secondsSinceEpoch: Self.today)])
    let next = try #require(held.first?.nextTry)
    #expect(next.secondsSinceEpoch <= Self.today + 7 * Self.day)
    scene.remote.refuse("bad", because: nil)
    scene.now = Self.today + 8 * Self.day
    try await scene.sync()
    scene.expectBoth(["bad": "Lunch"])
  }

  @Test("An item that waits for its time waits on")
  func waiting() async throws {
    var scene = scene()
    scene.local.write(TestItem.make(uid: "bad"))
    scene.remote.refuse("bad", because: "no")
    for hour in [0, 1, 2] {
      scene.now = Self.today + Int64(hour) * 3_600
      try await scene.sync()
    }
    scene.now += 2 * 3_600 - 1
    scene.remote.clearLog()
    try await scene.sync()
    #expect(!scene.remote.log.contains("create bad"))
  }

  @Test("Contents are compared again, once", arguments: [30, nil])
  func verification(_ interval: Int?) async throws {
    var scene = scene()
    scene.options.verificationInterval = interval
    try await scene.agree(on: ["a": "1"])
    scene.now = Self.ahead
    scene.options.isVerifying = true
    try await scene.sync()
    scene.options.isVerifying = false
    scene.now = Self.today
    scene.remote.replaceSilently("a", by: TestItem.make(uid: "a", summary: "hidden"))
    try await scene.sync()
    scene.expectBoth(["a": "hidden"])
    scene.remote.clearLog()
    scene.now += 1
    try await scene.sync()
    #expect(scene.remote.log == ["open calendar", "changes"])
  }

  @Test(
    "What the filter left out comes in", arguments: [30, nil],
    [MemoryRemote.Quirks.keepsCursors, []])
  func filter(_ interval: Int?, _ quirks: MemoryRemote.Quirks) async throws {
    var scene = scene(quirks)
    scene.options.verificationInterval = interval
    (scene.options.filter.past, scene.options.filter.future) = (30, 30)
    try await scene.sync()
    scene.now = Self.ahead
    scene.remote.write(TestItem.make(uid: "there"))
    scene.local.write(TestItem.make(uid: "here"))
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.local.items["there"] == nil)
    scene.now = Self.today
    try await scene.sync()
    scene.expectBoth(["here": "Lunch", "there": "Lunch"])
    try await scene.expectRest()
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.log.count == 2)
  }
}
