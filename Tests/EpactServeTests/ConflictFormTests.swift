// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The form for other values of an item in conflict.
struct ConflictFormTests {
  /// A scene with a conflict of an event, whose lines differ here and there.
  private static func scene(
    _ base: [String], here: [String], there: [String]
  ) async throws -> (PageScene, Visitor) {
    let scene = try await SyncPageTests.scene()
    let visitor = try await scene.signIn()
    try add(base, to: "calendars/private", scene)
    _ = try await SyncPageTests.run(visitor)
    try add(here, to: "calendars/private", scene)
    try add(there, to: "remote", scene)
    #expect(try await SyncPageTests.run(visitor).text.contains("1 in conflict"))
    return (scene, visitor)
  }

  private static func add(_ lines: [String], to folder: String, _ scene: PageScene) throws {
    try scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT",
        "UID:dinner", "DTSTAMP:20261101T000000Z",
      ] + lines + ["END:VEVENT", "END:VCALENDAR"], to: "\(folder)/dinner.ics")
  }

  private static let time = ["DTSTART:20261201T110000Z", "DTEND:20261201T120000Z"]

  @Test("The form has the values from here, and the item gets what is written instead")
  func edited() async throws {
    let (scene, visitor) = try await Self.scene(
      Self.time + ["SUMMARY:Dinner", "DESCRIPTION:Bring\\nphotos", "LOCATION:Café", "GEO:1;2"],
      here: Self.time + ["SUMMARY:Dinner here", "DESCRIPTION:Here\\, two\\nlines", "LOCATION:A"],
      there: Self.time + ["SUMMARY:Dinner there", "DESCRIPTION:There", "LOCATION:Café", "X-A:1"])
    let page = try await visitor.page("/conflicts")
    #expect(page.value(of: "value/VEVENT/SUMMARY") == "\nDinner here")
    #expect(page.value(of: "value/VEVENT/DESCRIPTION") == "\nHere, two\nlines")
    #expect(page.value(of: "value/VEVENT/LOCATION") == nil, "only one side changed it")
    #expect(page.texts("button").contains("Take these values"))
    let settled = try await visitor.submit(
      "/conflicts",
      [
        "uid": "dinner", "sync": "disk", "take": "edited",
        "value/VEVENT/SUMMARY": "Dinner, for all",
        "value/VEVENT/DESCRIPTION": "Here; two\r\nlines",
      ])
    #expect(settled.notice == ["The conflict is settled. The next sync sends the choice."])
    _ = try await SyncPageTests.run(visitor)
    let remote = String(
      decoding: try scene.folder.bytes(of: "remote/dinner.ics"), as: UTF8.self
    ).replacing("\r\n", with: "\n")
    for text in [try scene.text(of: "dinner"), remote] {
      #expect(text.contains("SUMMARY:Dinner\\, for all\n"))
      #expect(text.contains("DESCRIPTION:Here\\; two\\nlines\n"))
      #expect(text.contains("LOCATION:A\n") && text.contains("X-A:1\n"), "the rest is merged")
    }
    #expect(try await visitor.page("/conflicts").text.contains("No conflicts wait."))
  }

  @Test("A value that the form leaves as it was, or does not have, is that from here")
  func untouched() async throws {
    let (scene, visitor) = try await Self.scene(
      Self.time + ["SUMMARY:Dinner", "LOCATION:Café"],
      here: Self.time + ["SUMMARY;X-P=1:Dinner here", "LOCATION:A"],
      there: Self.time + ["SUMMARY:Dinner there", "LOCATION:B"])
    _ = try await visitor.submit(
      "/conflicts",
      ["uid": "dinner", "sync": "disk", "take": "edited", "value/VEVENT/SUMMARY": "Dinner here"])
    let text = try scene.text(of: "dinner")
    #expect(text.contains("SUMMARY;X-P=1:Dinner here\n") && text.contains("LOCATION:A\n"))
  }

  @Test("An empty value removes the property")
  func removed() async throws {
    let (scene, visitor) = try await Self.scene(
      Self.time + ["SUMMARY:Dinner", "LOCATION:Café"],
      here: Self.time + ["SUMMARY:Dinner", "LOCATION:A"],
      there: Self.time + ["SUMMARY:Dinner", "LOCATION:B"])
    _ = try await visitor.submit(
      "/conflicts",
      ["uid": "dinner", "sync": "disk", "take": "edited", "value/VEVENT/LOCATION": ""])
    #expect(try !scene.text(of: "dinner").contains("LOCATION"))
  }

  @Test(
    "An invalid value is explained, and nothing changes",
    arguments: [
      ("value/VEVENT/DTEND", "tomorrow", "cannot be saved"),
      ("value/VEVENT/DTEND", "20261201T090000Z", "expected an end that is not before the start"),
      ("value/VEVENT/DTEND", "20261201T150000Z\r\nX-A:1", "expected DTEND to be one line"),
      ("value/VEVENT/PRIORITY", "12", "expected a priority from 0 through 9, found 12"),
      ("value/VEVENT/LOCATION", "A", "the form has no value"),
    ])
  func invalid(_ field: String, value: String, words: String) async throws {
    let (scene, visitor) = try await Self.scene(
      [Self.time[0], "DTEND:20261201T120000Z", "SUMMARY:Dinner", "PRIORITY:1"],
      here: [Self.time[0], "DTEND:20261201T130000Z", "SUMMARY:Dinner", "PRIORITY:2"],
      there: [Self.time[0], "DTEND:20261201T140000Z", "SUMMARY:Dinner", "PRIORITY:3"])
    let before = try scene.text(of: "dinner")
    let page = try await visitor.submit(
      "/conflicts", ["uid": "dinner", "sync": "disk", "take": "edited", (field): value])
    #expect(page.notice.joined().contains(words), "\(page.notice)")
    #expect(try scene.text(of: "dinner") == before)
    #expect(page.value(of: "value/VEVENT/PRIORITY") == "2", "the conflict waits")
  }

  @Test("All conflicts cannot have the same values")
  func all() async throws {
    let (scene, visitor) = try await Self.scene(
      Self.time + ["SUMMARY:Dinner"], here: Self.time + ["SUMMARY:Dinner here"],
      there: Self.time + ["SUMMARY:Dinner there"])
    let page = try await visitor.submit(
      "/conflicts", ["all": "1", "take": "edited", "value/VEVENT/SUMMARY": "Dinner"])
    #expect(page.notice == ["choose here, there or both, or edit the values"])
    #expect(try scene.text(of: "dinner").contains("SUMMARY:Dinner here"))
  }
}
