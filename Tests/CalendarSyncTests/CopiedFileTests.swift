// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Copies that other programs keep beside the file of an item, with the same UID.
@Suite("A copy does not take over the item")
struct CopiedFileTests {
  private static let copies = [
    "a (copy).ics", "a (1).ics", "a - Copy.ics", "a-HOST.ics", "0.ics", "b.ics",
    "a (conflicted copy 2026-11-26 165400).ics", "a.sync-conflict-20261126-165400-ABCDEFG.ics",
  ]

  /// A scene whose sides agreed on "Old" and then on "New".
  private func scene() async throws -> SyncScene {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "Old", "x": "Other", "y": "Other", "z": "Other"])
    try await scene.agree(on: ["a": "New"])
    return scene
  }

  private func copy(_ summary: String, stamp: String? = nil) -> [UInt8] {
    var text = TestItem.text(uid: "a", summary: summary)
    if let stamp {
      text = text.replacing("SEQUENCE:", with: "LAST-MODIFIED:\(stamp)\r\nSEQUENCE:")
    }
    return Array(text.utf8)
  }

  private func reported(_ name: String) -> String {
    "skip \"\(name)\" (\(name)): local-file (holds the UID 'a', which a.ics holds already)"
  }

  @Test(
    "The known file stays the item, and the copy is reported in each run", arguments: copies)
  func known(_ name: String) async throws {
    let scene = try await scene()
    scene.local.write(copy("Old", stamp: "20270101T000000Z"), as: name)
    for _ in 1...2 {
      let outcome = try await scene.sync()
      #expect(outcome.plan.contains(reported(name)))
      #expect(outcome.summary.failed == 1)
      #expect(scene.remote.writes == [])
    }
    scene.local.write(copy("Newer"), as: "a.ics")
    try await scene.sync()
    #expect(scene.titles.remote["a"] == "Newer")
    scene.remote.write(TestItem.make(uid: "a", summary: "Newest"))
    try await scene.sync()
    #expect(
      scene.local.contents["a.ics"].map { String(decoding: $0, as: UTF8.self) }?
        .contains("SUMMARY:Newest") == true)
    scene.local.removeFile(name)
    try await scene.sync()
    #expect(scene.titles.local["a"] == "Newest")
    #expect(scene.titles.remote["a"] == "Newest")
    try await scene.expectRest()
  }

  @Test("An older text in the place of the known file is a conflict", arguments: copies)
  func older(_ name: String) async throws {
    let scene = try await scene()
    scene.local.write(copy("Old"), as: name)
    try await scene.sync()
    scene.local.removeFile("a.ics")
    for title in ["New", "New", "Newest", "Newest"] {
      if title == "Newest" { scene.remote.write(TestItem.make(uid: "a", summary: title)) }
      let outcome = try await scene.sync()
      #expect(outcome.summary.conflicts == 1)
      #expect(
        outcome.plan.contains(
          "older-file (a.ics; \(name))"))
      #expect(scene.titles.local["a"] == "Old")
      #expect(scene.titles.remote["a"] == title)
    }
    let conflict = try #require(try await scene.ledger.conflicts(of: scene.binding).first)
    #expect(conflict.remote.map { String(decoding: $0, as: UTF8.self) }?.contains("Newest") == true)
  }

  @Test("No policy resolves it", arguments: MergePolicy.allCases)
  func policies(_ policy: MergePolicy) async throws {
    var scene = try await scene()
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    scene.local.removeFile("a.ics")
    scene.local.write(copy("Old"), as: "a (1).ics")
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(scene.titles.remote["a"] == "New")
    #expect(scene.titles.local["a"] == "Old")
  }

  @Test("The known file that comes back settles it")
  func back() async throws {
    let scene = try await scene()
    scene.local.removeFile("a.ics")
    scene.local.write(copy("Old"), as: "a (1).ics")
    try await scene.sync()
    scene.local.write(copy("New"), as: "a.ics")
    scene.local.removeFile("a (1).ics")
    try await scene.sync()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    try await scene.expectRest()
  }

  @Test("The same text under another name is a renamed item")
  func renamed() async throws {
    let scene = try await scene()
    scene.local.write(copy("New"), as: "a (1).ics")
    scene.local.removeFile("a.ics")
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    #expect(scene.remote.writes == [])
    let entry = try await scene.ledger.entries(of: scene.binding).first
    #expect(entry?.localName == "a (1).ics")
    scene.local.write(copy("Newer"), as: "a (1).ics")
    try await scene.sync()
    #expect(scene.titles.remote["a"] == "Newer")
  }

  @Test("A later text under another name is an edit")
  func later() async throws {
    let scene = try await scene()
    scene.local.removeFile("a.ics")
    scene.local.write(copy("Newer", stamp: "20270101T000000Z"), as: "a (1).ics")
    try await scene.sync()
    #expect(scene.titles.remote["a"] == "Newer")
    try await scene.expectRest()
  }

  @Test("A deletion on the remote waits until the copy is gone, and does not make it a new item")
  func deletedThere() async throws {
    let scene = try await scene()
    scene.local.write(copy("Old"), as: "a (1).ics")
    scene.remote.remove("a")
    for _ in 1...2 {
      let outcome = try await scene.sync()
      #expect(outcome.plan.contains("deleted-remote-beside-double (a (1).ics)"))
      #expect(scene.remote.items["a"] == nil)
      #expect(scene.titles.local["a"] == "New")
    }
    scene.local.removeFile("a.ics")
    let outcome = try await scene.sync()
    #expect(outcome.plan.contains("deleted-remote-beside-older-file (a.ics; a (1).ics)"))
    #expect(scene.remote.items["a"] == nil)
    scene.local.removeFile("a (1).ics")
    try await scene.sync()
    #expect(scene.local.items["a"] == nil)
    try await scene.expectRest()
  }

  @Test("A copy does not replace a file that cannot be read")
  func unreadable() async throws {
    let scene = try await scene()
    scene.local.write([], as: "a.ics")
    scene.local.write(copy("Old", stamp: "20270101T000000Z"), as: "a (1).ics")
    try await scene.sync()
    #expect(scene.titles.remote["a"] == "New")
    scene.local.write(copy("Newer"), as: "a.ics")
    try await scene.sync()
    #expect(scene.titles.remote["a"] == "Newer")
  }

  @Test("A copy does not hold back the deletion of another item")
  func otherDeletion() async throws {
    let scene = try await scene()
    scene.local.write(copy("Old"), as: "a (1).ics")
    scene.local.remove("x")
    try await scene.sync()
    #expect(scene.remote.items["x"] == nil)
  }

  @Test(
    "In a folder, an older text at another place is a conflict, and an edit at the known one is none",
    arguments: ["folder", "caldav"])
  func remoteFolder(_ kind: String) async throws {
    let faults = FaultPlan()
    let scene = SyncScene(
      faults: faults, local: MemoryLocalCalendar(faults: faults),
      remote: MemoryRemote(kind: kind, faults: faults), ledger: MemoryLedger(faults: faults))
    try await scene.agree(on: ["a": "Old", "x": "Other", "y": "Other", "z": "Other"])
    try await scene.agree(on: ["a": "New"])
    scene.remote.write(TestItem.make(uid: "a", summary: "Newest"))
    try await scene.sync()
    scene.expectBoth(["a": "Newest", "x": "Other", "y": "Other", "z": "Other"])
    scene.remote.remove("a")
    scene.remote.write(TestItem.make(uid: "a", summary: "Old"), at: "a (1).ics")
    let outcome = try await scene.sync()
    // A server may give an edited item another place.
    let isCopy = kind == "folder"
    #expect(outcome.summary.conflicts == (isCopy ? 1 : 0))
    #expect(scene.titles.local["a"] == (isCopy ? "Newest" : "Old"))
    #expect(scene.titles.remote["a"] == "Old")
  }

  @Test("Of two files in a first sync, the one with the shorter name is the item")
  func first() async throws {
    let scene = SyncScene()
    scene.local.write(copy("Old"), as: "a (1).ics")
    scene.local.write(copy("New"), as: "a.ics")
    let outcome = try await scene.sync()
    #expect(scene.titles.remote["a"] == "New")
    #expect(outcome.plan.contains(reported("a (1).ics")))
  }

  @Test(
    "The choice depends on names alone",
    arguments: [
      (["a.ics", "a (1).ics"], [], "a.ics"), (["b.ics", "a.ics"], [], "a.ics"),
      (["b.ics", "a.ics"], ["b.ics"], "b.ics"), (["a (1).ics"], ["a.ics"], "a (1).ics"),
      (["c.ics", "b.ics", "a.ics"], ["c.ics", "b.ics"], "b.ics"), ([], ["a.ics"], nil),
    ] as [([String], Set<String>, String?)])
  func choice(_ names: [String], _ known: Set<String>, _ expected: String?) {
    #expect(SharedUID.item(among: names, known: known) == expected)
    #expect(SharedUID.item(among: names.reversed(), known: known) == expected)
  }
}
