// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("A remote that cannot hold everything")
struct HoldingTests {
  private func component(_ lines: [String]) throws -> Component {
    let text = (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
      .map { $0 + "\r\n" }.joined()
    let stream = try CalendarStream(parsing: Array(text.utf8))
    return try #require(stream.calendars.first?.components.first)
  }

  private func lines(_ component: Component) -> [String] {
    String(decoding: Serializer().bytes(of: component), as: UTF8.self)
      .replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  /// What a component consists of that a remote with these fields gives back.
  private func spliced(
    _ original: [String], heldAs fields: [String], readAs now: [String]? = nil
  ) throws -> Set<String> {
    let stash = ComponentStash(of: try component(original), heldAs: try component(fields))
    let stored = try #require(ComponentStash(text: stash.text))
    return Set(
      lines(stored.splice(into: try component(now ?? fields)).component).dropFirst().dropLast())
  }

  @Test("Every line returns, whether a field, a part of one or nothing holds it")
  func whole() throws {
    let original = [
      "UID:a", "SUMMARY;LANGUAGE=de:Mittagessen, mit Oma",
      "DTSTART;TZID=Europe/Berlin:20260302T090000",
      "DURATION:PT1H", "X-ROOM;X-FLOOR=2:12", "CATEGORIES:food,family", "COMMENT:one",
      "COMMENT:two",
      "ATTENDEE;CN=Oma:mailto:oma@example.org", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M",
      "X-SOUND:gong", "END:VALARM",
    ]
    let fields = [
      "UID:a", "SUMMARY:Mittagessen, mit Oma", "DTSTART;TZID=Europe/Berlin:20260302T090000",
      "DTEND;TZID=Europe/Berlin:20260302T100000", "ATTENDEE:mailto:oma@example.org", "BEGIN:VALARM",
      "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM",
    ]
    #expect(try spliced(original, heldAs: fields) == Set(original))
  }

  @Test("An edited field takes precedence over its stash, and the rest returns")
  func edited() throws {
    let original = ["UID:a", "SUMMARY;LANGUAGE=de:Essen", "DURATION:PT1H", "X-ROOM:12"]
    let fields = ["UID:a", "SUMMARY:Essen", "DTEND:20260302T100000Z"]
    let now = ["UID:a", "SUMMARY:Kaffee", "DTEND:20260302T100000Z"]
    #expect(
      try spliced(original, heldAs: fields, readAs: now)
        == ["UID:a", "SUMMARY:Kaffee", "DURATION:PT1H", "X-ROOM:12"])
    let longer = ["UID:a", "SUMMARY:Essen", "DTEND:20260302T110000Z"]
    #expect(
      try spliced(original, heldAs: fields, readAs: longer)
        == ["UID:a", "SUMMARY;LANGUAGE=de:Essen", "DTEND:20260302T110000Z", "X-ROOM:12"])
  }

  @Test("A field that the original did not have, and that is filled later, is an edit")
  func filled() throws {
    #expect(
      try spliced(["UID:a", "X-A:1"], heldAs: ["UID:a"], readAs: ["UID:a", "LOCATION:hall"])
        == ["UID:a", "X-A:1", "LOCATION:hall"])
    #expect(
      try spliced(["UID:a", "URL:x:y"], heldAs: ["UID:a"], readAs: ["UID:a", "URL:z:y"])
        == ["UID:a", "URL:z:y"])
  }

  @Test("What a field adds to the original does not return")
  func superfluous() throws {
    let fields = ["UID:a", "DTEND:20260302T100000Z", "STATUS:CONFIRMED"]
    #expect(try spliced(["UID:a"], heldAs: fields) == ["UID:a"])
    #expect(
      try spliced(
        ["UID:a"], heldAs: fields, readAs: ["UID:a", "DTEND:20260302T100000Z", "STATUS:TENTATIVE"])
        == ["UID:a", "STATUS:TENTATIVE"])
  }

  @Test("A whole component has no stash, whatever its times of change are")
  func nothing() throws {
    let original = try component(["UID:a", "DTSTAMP:20260102T030405Z", "SEQUENCE:0", "SUMMARY:x"])
    let fields = try component(["SUMMARY:x", "UID:a", "DTSTAMP:20260302T030405Z"])
    #expect(ComponentStash(of: original, heldAs: fields).isEmpty)
    #expect(ComponentStash(of: original, heldAs: fields).names == [])
  }

  @Test(
    "A damaged stash is none",
    arguments: [
      "", "X", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX-A:1\r\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR",
    ])
  func damaged(_ text: String) {
    #expect(ComponentStash(text: text) == nil)
  }

  // MARK: Runs

  private func event(_ lines: String..., uid: String = "a") -> CalendarItem {
    let more = lines.map { $0 + "\r\n" }.joined()
    return TestItem.parse(TestItem.text(uid: uid).replacing("SEQUENCE:", with: more + "SEQUENCE:"))
  }

  @Test("A dry run shows what is stashed and what is refused, and sends nothing")
  func dryRun() async throws {
    let scene = SyncScene(fields: MemoryFields())
    scene.local.write(event("X-A:1", "CATEGORIES:x", uid: "a"))
    scene.local.write(event("DESCRIPTION:unbearable", uid: "b"))
    scene.local.write(event(uid: "c"))
    let plan = try await scene.plan()
    #expect(plan.operations.map(\.stashed) == [["CATEGORIES", "X-A"], [], []])
    #expect(
      plan.operations.map(\.verb) == ["create-remote", "skip", "create-remote"])
    #expect(plan.operations[1].obstacle == .notHeld(.altered("DESCRIPTION")))
    #expect(scene.remote.writes == [])
  }

  @Test("A refused item stays on both sides, fails in each run, and is sent once it can be held")
  func refused() async throws {
    let scene = SyncScene(fields: MemoryFields())
    scene.local.write(event("X-A:1"))
    try await scene.sync()
    scene.local.write(event("X-A:2", "DESCRIPTION:unbearable"))
    for _ in 0..<2 {
      #expect(try await scene.sync().summary.failed == 1)
      #expect(RichItem.unfolded(try #require(scene.remote.items["a"])).contains("X-A:1"))
      #expect(RichItem.unfolded(try #require(scene.local.items["a"])).contains("X-A:2"))
    }
    scene.local.write(event("X-A:2", "DESCRIPTION:bearable"))
    #expect(try await scene.sync().summary.failed == 0)
    #expect(RichItem.unfolded(try #require(scene.remote.items["a"])).contains("X-A:2"))
    try await scene.expectRest()
  }

  @Test("An edit of a field there keeps what has none")
  func editedThere() async throws {
    let scene = SyncScene(fields: MemoryFields())
    scene.local.write(event("X-A:1", "LOCATION;LANGUAGE=de:Saal"))
    try await scene.sync()
    scene.remote.editFields(of: "a", to: event("LOCATION:Garten"))
    try await scene.sync()
    let lines = RichItem.unfolded(try #require(scene.local.items["a"]))
    #expect(lines.contains("X-A:1") && lines.contains("LOCATION:Garten"))
    try await scene.expectRest()
  }

  @Test("Under write-only access, a refused event is not sent")
  func writeOnly() async throws {
    var scene = SyncScene(fields: MemoryFields())
    scene.tier = .writeOnly
    scene.local.write(event("DESCRIPTION:unbearable", uid: "a"))
    scene.local.write(event("X-A:1", uid: "b"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.failed == 1)
    #expect(scene.remote.writes == ["append b"])
  }
}
