// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Items with a waiting conflict, whose other parts continue to be merged.
@Suite("A sync of an item in conflict")
struct SplitMergeTests {
  private static func item(_ summary: String, _ lines: String...) -> CalendarItem {
    TestItem.parse(
      TestItem.text(uid: "a", summary: summary).replacing(
        "SEQUENCE:0\r\n", with: lines.map { $0 + "\r\n" }.joined() + "SEQUENCE:0\r\n"))
  }

  /// The properties of each side that differ between the versions.
  private func lines(_ items: [String: CalendarItem]) -> Set<String> {
    let names: [PropertyName] = [.summary, .location, "DESCRIPTION", "CONTACT", "X-SECRET"]
    return Set(names.flatMap { items["a"]?.main?.properties(named: $0) ?? [] }.map(\.contentLine))
  }

  private func expect(
    _ scene: SyncScene, here: Set<String>, there: Set<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(lines(scene.local.items) == here, "local", sourceLocation: sourceLocation)
    #expect(lines(scene.remote.items) == there, "remote", sourceLocation: sourceLocation)
  }

  /// A scene after one sync of a summary that both sides edited, with another edit of each side.
  private func scene(_ quirks: MemoryRemote.Quirks = []) async throws -> SyncScene {
    let scene = SyncScene(quirks: quirks)
    scene.local.write(Self.item("base", "DESCRIPTION:long"))
    try await scene.sync()
    try await scene.sync()
    scene.local.write(Self.item("mine", "DESCRIPTION:long", "CONTACT:here"))
    scene.remote.write(Self.item("theirs", "DESCRIPTION:long", "LOCATION:there"))
    scene.remote.clearLog()
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["merge a"])
    #expect(outcome.plan.contains("VEVENT: SUMMARY: edits, waits"))
    #expect(outcome.summary.conflicts == 1)
    #expect(scene.remote.writes == ["update a"])
    return scene
  }

  private func resolver(_ scene: SyncScene) -> ConflictResolver {
    ConflictResolver(
      calendar: scene.local, ledger: scene.ledger, binding: scene.binding,
      now: { Instant(secondsSinceEpoch: 0) })
  }

  @Test(
    "Compatible edits are merged at once, and each side keeps its own version of the rest",
    arguments: [MemoryRemote.Quirks(), .noTagAfterWrite, .churnsTags])
  func split(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = try await scene(quirks)
    let both: Set = ["DESCRIPTION:long", "CONTACT:here", "LOCATION:there"]
    expect(scene, here: both.union(["SUMMARY:mine"]), there: both.union(["SUMMARY:theirs"]))
    scene.remote.clearLog()
    try await scene.expectUntouched {
      for _ in 1...2 {
        let outcome = try await scene.sync()
        #expect(outcome.verbs == ["conflict a"])
        #expect(outcome.summary.conflicts == 1)
      }
    }
    #expect(scene.remote.writes == [])
  }

  @Test("Edits and deletions are synced while a conflict waits")
  func goesOn() async throws {
    let scene = try await scene()
    scene.local.write(Self.item("mine", "CONTACT:here", "LOCATION:there"))
    scene.remote.write(
      Self.item("theirs", "DESCRIPTION:long", "CONTACT:here", "LOCATION:elsewhere"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 1)
    let both: Set = ["CONTACT:here", "LOCATION:elsewhere"]
    expect(scene, here: both.union(["SUMMARY:mine"]), there: both.union(["SUMMARY:theirs"]))
  }

  @Test("A conflict remains if a side edits the part again, and ends if the sides agree")
  func again() async throws {
    let scene = try await scene()
    let rest = ["DESCRIPTION:long", "CONTACT:here", "LOCATION:there"]
    scene.local.write(Self.item("mine again", rest[0], rest[1], rest[2]))
    #expect(try await scene.sync().summary.conflicts == 1)
    expect(
      scene, here: Set(rest).union(["SUMMARY:mine again"]),
      there: Set(rest).union(["SUMMARY:theirs"]))
    scene.local.write(Self.item("theirs", rest[0], rest[1], rest[2]))
    #expect(try await scene.sync().summary.conflicts == 0)
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    try await scene.expectRest()
  }

  struct Choice: CustomTestStringConvertible {
    let choice: ConflictResolver.Choice
    let summary: String
    var testDescription: String { summary }
  }

  @Test(
    "A choice resolves the waiting parts only",
    arguments: [
      Choice(choice: .local, summary: "mine"), Choice(choice: .remote, summary: "theirs"),
      Choice(choice: .both, summary: "mine"),
      Choice(
        choice: .edited(
          item("chosen", "DESCRIPTION:long", "CONTACT:here", "LOCATION:there")),
        summary: "chosen"),
    ])
  func settled(_ choice: Choice) async throws {
    let scene = try await scene()
    let waiting = try await scene.ledger.conflicts(of: scene.binding)
    try await resolver(scene).resolve(try #require(waiting.first), as: choice.choice)
    #expect(try await scene.sync().summary.conflicts == 0)
    let all: Set = [
      "SUMMARY:\(choice.summary)", "DESCRIPTION:long", "CONTACT:here", "LOCATION:there",
    ]
    expect(scene, here: all, there: all)
    #expect(scene.local.items.count == (choice.choice == .both ? 2 : 1))
    try await scene.sync()
    try await scene.expectRest()
  }

  @Test("A property that the server drops is kept here beside a conflict")
  func dropped() async throws {
    let scene = SyncScene(quirks: .dropsUnknown)
    scene.local.write(Self.item("base", "X-SECRET:plan"))
    try await scene.sync()
    try await scene.sync()
    scene.local.write(Self.item("mine", "X-SECRET:plan", "CONTACT:here"))
    scene.remote.write(Self.item("theirs", "LOCATION:there"))
    #expect(try await scene.sync().summary.conflicts == 1)
    let both: Set = ["CONTACT:here", "LOCATION:there"]
    for _ in 1...2 {
      expect(
        scene, here: both.union(["SUMMARY:mine", "X-SECRET:plan"]),
        there: both.union(["SUMMARY:theirs"]))
      try await scene.sync()
    }
    try await scene.expectRest()
  }

  @Test("The first sync copies missing parts between items in conflict")
  func firstSync() async throws {
    let scene = SyncScene()
    scene.local.write(Self.item("mine", "CONTACT:here"))
    scene.remote.write(Self.item("theirs", "LOCATION:there"))
    #expect(try await scene.sync().summary.conflicts == 1)
    let both: Set = ["CONTACT:here", "LOCATION:there"]
    expect(scene, here: both.union(["SUMMARY:mine"]), there: both.union(["SUMMARY:theirs"]))
    try await scene.sync()
    try await scene.expectRest()
  }

  @Test("An alarm that only one side edited is sent later if the run ends before it is sent")
  func interrupted() async throws {
    func item(_ summary: String, _ trigger: String) -> CalendarItem {
      TestItem.parse(
        TestItem.text(uid: "a", summary: summary).replacing(
          "SEQUENCE:0\r\n",
          with: "BEGIN:VALARM\r\nUID:alarm\r\nACTION:AUDIO\r\nTRIGGER:\(trigger)\r\nEND:VALARM\r\n")
      )
    }
    func triggers(_ items: [String: CalendarItem]) -> [String]? {
      items["a"]?.main?.components.compactMap { $0[.trigger]?.rawValue }
    }
    let scene = SyncScene()
    scene.local.write(item("base", "-PT15M"))
    try await scene.sync()
    try await scene.sync()
    scene.local.write(item("mine", "-PT10M"))
    var there = item("theirs", "-PT15M")
    there = TestItem.parse(
      String(decoding: there.serialized(), as: UTF8.self).replacing(
        "SUMMARY:", with: "LOCATION:there\r\nSUMMARY:"))
    scene.remote.write(there)
    try await scene.crash(before: "update a")
    #expect(triggers(scene.remote.items) == ["-PT15M"])
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(triggers(scene.local.items) == ["-PT10M"])
    #expect(triggers(scene.remote.items) == ["-PT10M"])
    #expect(scene.location("a").local == "there")
  }
}
