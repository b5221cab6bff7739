// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Testing
import TestSupport

/// Syncs whose sides call one time zone by different names, or define it in different words.
@Suite("A sync that knows time zones")
struct ZoneRunTests {
  private static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))

  private static func item(_ zone: String, hour: String = "09", _ lines: String...) -> CalendarItem
  {
    let added = lines.map { $0 + "\r\n" }.joined()
    return TestItem.parse(
      TestItem.text(uid: "a").replacing(
        "DTSTART:20260301T120000Z\r\n",
        with: "DTSTART;TZID=\(zone):20260301T\(hour)0000\r\n" + added
      ))
  }

  /// A zone that only the calendar knows, as one program or another defines it.
  private static func defined(
    since year: Int, name: String = "Office"
  ) -> CalendarItem {
    let zone = """
      BEGIN:VTIMEZONE\r
      TZID:\(name)\r
      BEGIN:STANDARD\r
      DTSTART:\(year)0101T000000\r
      TZOFFSETFROM:+0100\r
      TZOFFSETTO:+0200\r
      TZNAME:\(name) \(year)\r
      END:STANDARD\r
      END:VTIMEZONE\r\nBEGIN:VEVENT
      """
    let text = String(decoding: item(name).serialized(), as: UTF8.self)
    return TestItem.parse(text.replacing("BEGIN:VEVENT", with: zone))
  }

  private func scene(_ form: NormalForm = Self.form) -> SyncScene {
    var scene = SyncScene()
    scene.merge = ThreeWayMerge(normalForm: form)
    return scene
  }

  @Test(
    "What the other side calls by another name is the same",
    arguments: [
      (item("Europe/Kyiv"), item("Europe/Kiev")),
      (item("Europe/Kyiv"), item("/mozilla.org/20050126_1/Europe/Kiev")),
      (defined(since: 1990), defined(since: 1990, name: "Head office")),
    ])
  func names(_ here: CalendarItem, _ there: CalendarItem) async throws {
    let scene = scene()
    scene.local.write(here)
    try await scene.sync()
    try await scene.sync()
    scene.remote.write(there)
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.verbs == ["record a"])
    }
    try await scene.expectRest()
    // Without the zones they are two versions: it is the form that is tested here.
    #expect(here.fingerprint != there.fingerprint)
  }

  @Test("Another name is no edit that an edit of the other side meets")
  func renamedThere() async throws {
    let scene = scene()
    scene.local.write(Self.item("Europe/Kyiv"))
    try await scene.sync()
    try await scene.sync()
    scene.local.write(Self.item("Europe/Kyiv", hour: "10"))
    scene.remote.write(Self.item("Europe/Kiev", "LOCATION:there"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    for items in [scene.local.items, scene.remote.items] {
      let main = try #require(items["a"]?.main)
      #expect(main[.dtStart]?.rawValue == "20260301T100000")
      #expect(main[.location]?.text == "there")
    }
    try await scene.expectRest()
  }

  @Test("A ledger that was written in the form without zones asks for no write")
  func renewed() async throws {
    var scene = scene(NormalForm())
    scene.local.write(Self.item("Europe/Kiev"))
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.sync()
    try await scene.sync()
    scene.merge = ThreeWayMerge(normalForm: Self.form)
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.verbs == ["record a"])
    }
    try await scene.expectRest()
    let fingerprint = try #require(scene.local.items["a"]).normalized(by: Self.form).fingerprint
    let entries = try await scene.ledger.entries(of: scene.binding)
    #expect(entries.first { $0.uid == UID("a") }?.localBase == fingerprint)
  }

  @Test("A remote edit without the definition of a zone takes it from here")
  func withoutDefinition() async throws {
    let scene = scene()
    let item = Self.defined(since: 1970)
    scene.local.write(item)
    for _ in 1...2 { try await scene.sync() }
    var main = try #require(item.main)
    main[.location] = Property(.location, text: "there")
    scene.remote.write(try CalendarItem(components: [main], timeZones: []))
    try await scene.sync()
    let here = try #require(scene.local.items["a"])
    #expect(here.main?[.location]?.text == "there")
    #expect(here.timeZones.map { $0[.tzID]?.text } == ["Office"])
    try await scene.expectRest()
  }

  @Test("A conflict is settled in the form of the sync")
  func settled() async throws {
    let scene = scene()
    scene.local.write(Self.item("Europe/Kiev", "LOCATION:base"))
    try await scene.sync()
    try await scene.sync()
    scene.local.write(Self.item("Europe/Kiev", "LOCATION:here"))
    scene.remote.write(Self.item("Europe/Kyiv", "LOCATION:there"))
    #expect(try await scene.sync().summary.conflicts == 1)
    let waiting = try await scene.ledger.conflicts(of: scene.binding)
    let resolver = ConflictResolver(
      calendar: scene.local, ledger: scene.ledger, binding: scene.binding, normalForm: Self.form,
      now: { Instant(secondsSinceEpoch: 0) })
    try await resolver.resolve(try #require(waiting.first), as: .remote)
    try await scene.sync()
    for items in [scene.local.items, scene.remote.items] {
      #expect(items["a"]?.main?[.location]?.text == "there")
    }
    try await scene.expectRest()
  }
}
