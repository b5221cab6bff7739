// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("A server that rewrites what it stores and tells no entity tag")
struct RewritingTests {
  private static let kinds: [MemoryRemote.Quirks] = [
    .rewrites, [.rewrites, .keepsCursors], [.rewrites, .weakTags], .noTagAfterWrite,
    [.rewrites, .dropsUnknown], [.rewrites, .listsLate],
    [.rewrites, .keepsCursors, .forgetsCursors],
  ]

  @Test("A second run does nothing", arguments: kinds)
  func second(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    for uid in ["a", "b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    #expect(try await scene.sync().summary.uploaded == 3)
    try await scene.expectRest()
  }

  @Test("A deletion after the first run is done there", arguments: kinds)
  func deletion(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    for uid in ["a", "b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    try await scene.sync()
    scene.local.remove("a")
    try await scene.sync()
    scene.remote.catchUp()
    scene.options.isVerifying = true
    try await scene.sync()
    scene.expectBoth(["b": "Lunch", "c": "Lunch"])
  }

  @Test("A deletion is done there after an edit and its upload", arguments: kinds)
  func deletionAfterEdit(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    for uid in ["a", "b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    try await scene.sync()
    scene.remote.catchUp()
    scene.local.write(TestItem.make(uid: "a", summary: "Dinner"))
    try await scene.sync()
    scene.remote.catchUp()
    #expect(scene.remote.items["a"]?.title == "Dinner")
    scene.local.remove("a")
    for _ in 1...2 {
      try await scene.sync()
      scene.remote.catchUp()
    }
    scene.expectBoth(["b": "Lunch", "c": "Lunch"])
  }

  @Test("A deletion is done there although what was sent could not be read back", arguments: kinds)
  func unread(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    for uid in ["b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    try await scene.sync()
    scene.remote.catchUp()
    scene.local.write(TestItem.make(uid: "a"))
    scene.faults.restart(named: ["fetch a.ics": .fail])
    try await scene.sync()
    scene.faults.restart()
    scene.remote.catchUp()
    scene.local.remove("a")
    for _ in 1...2 {
      try await scene.sync()
      scene.remote.catchUp()
    }
    scene.expectBoth(["b": "Lunch", "c": "Lunch"])
  }

  @Test("A deletion is done there after a run that was cut off", arguments: kinds)
  func cutOff(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    for uid in ["b", "c"] { scene.local.write(TestItem.make(uid: uid)) }
    try await scene.sync()
    scene.remote.catchUp()
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.crash(after: "create a")
    scene.remote.catchUp()
    scene.local.remove("a")
    for _ in 1...2 {
      try await scene.sync()
      scene.remote.catchUp()
    }
    scene.expectBoth(["b": "Lunch", "c": "Lunch"])
  }

  @Test("What another program writes between a write and its reading is an edit", arguments: kinds)
  func between(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    scene.local.write(TestItem.make(uid: "b"))
    scene.local.write(TestItem.make(uid: "a", summary: "1"))
    scene.remote.writeAfterNextWrite(TestItem.make(uid: "a", summary: "2"))
    try await scene.sync()
    scene.remote.catchUp()
    try await scene.sync()
    scene.expectBoth(["a": "2", "b": "Lunch"])

    scene.local.write(TestItem.make(uid: "a", summary: "3"))
    scene.remote.writeAfterNextWrite(TestItem.make(uid: "a", summary: "3", location: "there"))
    scene.remote.catchUp()
    try await scene.sync()
    scene.local.remove("a")
    scene.remote.catchUp()
    try await scene.sync()
    #expect(scene.local.items["a"]?.main?[.location]?.text == "there")
    #expect(scene.remote.items["a"]?.main?[.location]?.text == "there")
  }

  @Test("What a server adds of its own is not downloaded by a verification")
  func verified() async throws {
    var scene = SyncScene(quirks: [.rewrites, .tellsTagOfRewritten])
    scene.local.write(TestItem.make(uid: "a"))
    try await scene.sync()
    scene.options.isVerifying = true
    try await scene.expectUntouched { try await scene.sync() }
  }

  @Test("Each value that a server cuts is found by the run that sent it")
  func eachCut() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.options.requestBatchSize = 1
    for uid in ["a", "b"] {
      let text = TestItem.text(uid: uid)
      scene.local.write(
        TestItem.parse(text.replacing("END:VEVENT", with: "LOCATION:hall, left\r\nEND:VEVENT")))
    }
    var losses: [String] = []
    for case .lost(let loss) in try await scene.sync().events { losses.append("\(loss.uid)") }
    #expect(losses == ["a", "b"])
  }
}
