// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Merges in complete runs.
@Suite("A sync that merges")
struct MergeRunTests {
  private static func location(_ item: CalendarItem?) -> String? {
    item?.main?[.location]?.text
  }

  @Test("Edits of different properties are merged on both sides in one run, with one request")
  func merges() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited here"))
    scene.remote.write(TestItem.make(uid: "a", summary: "base", location: "there"))
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["merge a"])
    #expect(outcome.plan.contains(": merged"))
    #expect(scene.remote.writes == ["update a"])
    #expect(outcome.summary.conflicts == 0)
    #expect(outcome.summary.uploaded == 1)
    #expect(outcome.summary.downloaded == 1)
    scene.expectBoth(["a": "edited here", "b": "base"])
    for items in [scene.local.items, scene.remote.items] {
      #expect(Self.location(items["a"]) == "there")
    }
    try await scene.expectRest()
  }

  @Test("If the upload of a merge meets another edit, the next run merges it, too")
  func meetsAnotherEdit() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited here"))
    scene.remote.write(TestItem.make(uid: "a", summary: "base", location: "there"))
    try await scene.crash(after: "update a")
    scene.remote.write(TestItem.make(uid: "a", summary: "edited here", location: "elsewhere"))
    try await scene.sync()
    scene.expectBoth(["a": "edited here", "b": "base"])
    for items in [scene.local.items, scene.remote.items] {
      #expect(Self.location(items["a"]) == "elsewhere")
    }
  }

  @Test("A policy resolves different edits of both sides", arguments: [MergePolicy.local, .remote])
  func policy(_ policy: MergePolicy) async throws {
    var scene = SyncScene()
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs", location: "there"))
    let outcome = try await scene.sync()
    #expect(outcome.plan.contains("\(policy.rawValue) chosen"))
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": policy == .local ? "mine" : "theirs", "b": "base"])
    #expect(Self.location(scene.local.items["a"]) == "there")
    try await scene.expectRest()
  }

  @Test("A property that the server drops is kept here after edits of either side")
  func dropped() async throws {
    let scene = SyncScene(quirks: .dropsUnknown)
    let plain = TestItem.text(uid: "a", summary: "base")
    func item(_ text: String, _ lines: String...) -> CalendarItem {
      let added = lines.map { $0 + "\r\n" }.joined()
      return TestItem.parse(text.replacing("SEQUENCE:0\r\n", with: "SEQUENCE:0\r\n" + added))
    }
    scene.local.write(item(plain, "X-SECRET:plan"))
    try await scene.sync()
    try await scene.sync()
    #expect(scene.remote.items["a"]?.main?["X-SECRET"] == nil)
    scene.remote.write(item(plain, "LOCATION:there"))
    try await scene.sync()
    #expect(Self.location(scene.local.items["a"]) == "there")
    #expect(scene.local.items["a"]?.main?["X-SECRET"]?.text == "plan")
    try await scene.expectRest()
    scene.remote.write(item(plain, "LOCATION:elsewhere"))
    let edited = TestItem.text(uid: "a", summary: "edited")
    scene.local.write(item(edited, "LOCATION:there", "X-SECRET:better plan"))
    try await scene.sync()
    #expect(Self.location(scene.local.items["a"]) == "elsewhere")
    #expect(scene.local.items["a"]?.main?["X-SECRET"]?.text == "better plan")
    scene.expectBoth(["a": "edited"])
  }

  @Test("A value that the server escapes stays unescaped here after edits of either side")
  func escaped() async throws {
    let scene = SyncScene()
    func item(_ summary: String, _ secret: String) -> CalendarItem {
      TestItem.parse(
        TestItem.text(uid: "a", summary: summary)
          .replacing("SEQUENCE:0\r\n", with: "SEQUENCE:0\r\nX-SECRET:\(secret)\r\n"))
    }
    func secrets() -> [String?] {
      [scene.local.items, scene.remote.items].map { $0["a"]?.main?["X-SECRET"]?.rawValue }
    }
    for (sent, held) in [("one;two", "one\\;two"), ("one\\;three", "one\\\\\\;three")] {
      scene.local.write(item("base", sent))
      try await scene.sync()
      scene.remote.write(item("base", held))
      try await scene.sync()
      #expect(secrets() == [sent, held])
      try await scene.expectRest()
      scene.remote.write(item("edited there", held))
      try await scene.sync()
      #expect(secrets() == [sent, held])
      scene.expectBoth(["a": "edited there"])
    }
    scene.remote.write(item("edited there", "four"))
    try await scene.sync()
    #expect(secrets() == ["four", "four"])
  }

  @Test("The first sync merges items that both sides have already")
  func firstSync() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "same", location: "here"))
    scene.remote.write(TestItem.make(uid: "a", summary: "same"))
    try await scene.sync()
    for items in [scene.local.items, scene.remote.items] {
      #expect(Self.location(items["a"]) == "here")
    }
    try await scene.expectRest()
  }
}
