// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("Windows and components")
struct ItemFilterTests {
  /// 1 March 2026, noon.
  private static let noon: Int64 = 1_772_366_400
  private static let day: Int64 = 86_400

  /// An item on both sides of which all tests can be run: here alone, or on the remote alone.
  private enum Side: CaseIterable {
    case local, remote
  }

  private func scene(_ quirks: MemoryRemote.Quirks = []) -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.now = Self.noon
    (scene.options.filter.past, scene.options.filter.future) = (30, 30)
    return scene
  }

  private static func item(
    _ uid: String, _ lines: String..., kind: ItemKind = .event, more: String = ""
  ) -> CalendarItem {
    let text = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:\(kind.rawValue)",
      "UID:\(uid)", "DTSTAMP:20260102T030405Z", "SUMMARY:\(uid)",
    ]
    let all = text + lines + ["END:\(kind.rawValue)"]
    return TestItem.parse(
      all.map { $0 + "\r\n" }.joined() + more + "END:VCALENDAR\r\n")
  }

  private static func override(_ uid: String, _ id: String, _ start: String) -> String {
    ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z", id, start, "END:VEVENT"]
      .map { $0 + "\r\n" }.joined()
  }

  private static let inside: [CalendarItem] = [
    item("today", "DTSTART:20260301T120000Z"),
    item("a-while-ago", "DTSTART:20260203T120000Z"),
    item("goes-on", "DTSTART:20250101T120000Z", "DTEND:20260301T130000Z"),
    item("all-day", "DTSTART;VALUE=DATE:20260330"),
    item("in-a-zone-that-nobody-knows", "DTSTART;TZID=Nowhere:20260301T120000"),
    item("every-week-for-years", "DTSTART:20150105T120000Z", "RRULE:FREQ=WEEKLY"),
    item("extra-date", "DTSTART:20200101T120000Z", "RDATE:20260302T120000Z"),
    item(
      "moved-into-it", "DTSTART:20200101T120000Z", "RRULE:FREQ=DAILY;COUNT=2",
      more: override(
        "moved-into-it", "RECURRENCE-ID:20200102T120000Z", "DTSTART:20260302T120000Z")),
    item("cancelled", "DTSTART:20260301T120000Z", "STATUS:CANCELLED"),
    item(
      "takes-place-never", "DTSTART:20200101T120000Z", "RRULE:FREQ=DAILY;COUNT=1",
      "EXDATE:20200101T120000Z"),
    item("no-date", "PRIORITY:1", kind: .reminder),
    item("due", "DUE:20260310T120000Z", kind: .reminder),
    item("begun-and-not-due", "DTSTART:20250101T120000Z", "DUE:20260601T120000Z", kind: .reminder),
    item("diary", "DTSTART;VALUE=DATE:20260228", kind: .journal),
  ]

  private static let outside: [CalendarItem] = [
    item("long-ago", "DTSTART:20260101T120000Z"),
    item("far-ahead", "DTSTART:20260501T120000Z"),
    item("over-for-a-year", "DTSTART:20150105T120000Z", "RRULE:FREQ=WEEKLY;UNTIL=20250101T000000Z"),
    item("begins-later", "DTSTART:20260504T120000Z", "RRULE:FREQ=WEEKLY"),
    item(
      "moved-out-of-it", "DTSTART:20260301T120000Z", "RRULE:FREQ=DAILY;COUNT=1",
      more: override(
        "moved-out-of-it", "RECURRENCE-ID:20260301T120000Z", "DTSTART:20260601T120000Z")),
    item("long-due", "DUE:20260101T120000Z", kind: .reminder),
  ]

  @Test("What touches the window comes to the other side, and what does not stays where it is")
  func verdicts() async throws {
    for side in Side.allCases {
      for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
        var scene = scene(quirks)
        scene.options.partSize = side == .local ? 500 : 3
        for item in Self.inside + Self.outside {
          if side == .local { scene.local.write(item) } else { scene.remote.write(item) }
        }
        for _ in 1...2 { try await scene.sync() }
        let other = side == .local ? scene.remote.items : scene.local.items
        #expect(other.keys.sorted() == Self.inside.map(\.uid.rawValue).sorted(), "\(side)")
        let own = side == .local ? scene.local.items : scene.remote.items
        #expect(own.count == Self.inside.count + Self.outside.count)
        try await scene.expectRest()
      }
    }
  }

  @Test("What leaves the window stays on both sides, and goes on being synced")
  func leaving() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      var scene = scene(quirks)
      try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
      scene.now += 100 * Self.day
      try await scene.sync()
      scene.expectBoth(["a": "1", "b": "2", "c": "3"])
      scene.local.write(TestItem.make(uid: "a", summary: "edited here"))
      scene.remote.write(TestItem.make(uid: "b", summary: "edited there"))
      try await scene.sync()
      scene.expectBoth(["a": "edited here", "b": "edited there", "c": "3"])
      try await scene.expectRest()
    }
  }

  @Test("What is outside and deleted on one side stays on the other, without end")
  func deletions() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      for partSize in [1, 500] {
        var scene = scene(quirks)
        scene.options.partSize = partSize
        try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
        scene.now += 100 * Self.day
        scene.local.remove("a")
        scene.remote.remove("b")
        let outcome = try await scene.sync()
        #expect(outcome.summary.deletedLocally + outcome.summary.deletedRemotely == 0)
        for _ in 1...2 { try await scene.sync() }
        #expect(scene.titles.local == ["b": "2", "c": "3", "d": "4"])
        #expect(scene.titles.remote == ["a": "1", "c": "3", "d": "4"])
        try await scene.expectRest()
      }
    }
  }

  @Test("It is told that what is outside is not deleted")
  func deletionsTold() async throws {
    var scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.now += 100 * Self.day
    scene.local.remove("a")
    let plan = try await scene.sync().plan
    #expect(plan == "skip \"1\" (a): deleted-local-outside-filter")
  }

  @Test("A calendar that is cleared of what is old stops at no guard, and clears nothing else")
  func clearing() async throws {
    var scene = scene(.keepsCursors)
    let titles = Dictionary(uniqueKeysWithValues: (1...9).map { ("\($0)", "old") })
    try await scene.agree(on: titles)
    scene.now += 100 * Self.day
    for uid in titles.keys { scene.local.remove(uid) }
    #expect(try await !scene.sync().summary.stoppedByGuard)
    #expect(scene.titles.remote == titles)
    try await scene.expectRest()
  }

  @Test("Inside of the window a deletion is a deletion, and the guard counts only those")
  func insideDeletions() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.remove("a")
    try await scene.sync()
    scene.expectBoth(["b": "2", "c": "3"])
  }

  @Test("What is known to be outside is fetched no more, until it changes")
  func fetchedOnce() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      let scene = scene(quirks)
      scene.remote.write(Self.item("old", "DTSTART:20200101T120000Z"))
      try await scene.sync()
      #expect(scene.remote.log.contains("fetch old.ics"))
      scene.remote.clearLog()
      scene.remote.write(TestItem.make(uid: "new", summary: "new"))
      try await scene.sync()
      #expect(!scene.remote.log.contains { $0.contains("old.ics") }, "\(scene.remote.log)")
      scene.remote.write(Self.item("old", "DTSTART:20260302T120000Z"))
      try await scene.sync()
      scene.expectBoth(["new": "new", "old": "old"])
      try await scene.expectRest()
    }
  }

  @Test("What is edited here, so that it enters the window, comes to the other side")
  func editedIn() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      let scene = scene(quirks)
      scene.local.write(Self.item("old", "DTSTART:20200101T120000Z"))
      for _ in 1...2 { try await scene.sync() }
      #expect(scene.remote.items.isEmpty)
      scene.local.write(Self.item("old", "DTSTART:20260302T120000Z"))
      try await scene.sync()
      scene.expectBoth(["old": "old"])
      try await scene.expectRest()
    }
  }

  @Test(
    "What is ahead comes when the window has come to it, and until then a run has nothing to do")
  func coming() async throws {
    for side in Side.allCases {
      var scene = scene(.keepsCursors)
      // 40 days ahead, and the window has a day more.
      let item = Self.item("ahead", "DTSTART:20260410T120000Z")
      if side == .local { scene.local.write(item) } else { scene.remote.write(item) }
      for _ in 1...2 { try await scene.sync() }
      scene.now = Self.noon + 9 * Self.day - 1
      scene.remote.clearLog()
      try await scene.sync()
      #expect(scene.remote.log == ["open calendar", "changes"])
      #expect((side == .local ? scene.remote.items : scene.local.items).isEmpty)
      // The end of the window is outside.
      scene.now += 1
      try await scene.sync()
      #expect((side == .local ? scene.remote.items : scene.local.items).isEmpty)
      scene.now += 1
      try await scene.sync()
      scene.expectBoth(["ahead": "ahead"])
      try await scene.expectRest()
    }
  }

  @Test("What the other side gets as well is matched, wherever it lies")
  func matching() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      for first in Side.allCases {
        let scene = scene(quirks)
        let item = Self.item("old", "DTSTART:20200101T120000Z")
        if first == .local { scene.local.write(item) } else { scene.remote.write(item) }
        try await scene.sync()
        if first == .local { scene.remote.write(item) } else { scene.local.write(item) }
        try await scene.sync()
        scene.local.write(Self.item("old", "DTSTART:20200101T120000Z", "LOCATION:edited"))
        try await scene.sync()
        #expect(scene.remote.items["old"]?.main?[.location]?.text == "edited")
        try await scene.expectRest()
      }
    }
  }

  @Test("Another window starts over with matching, and deletes nothing")
  func anotherWindow() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      var scene = scene(quirks)
      try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
      scene.local.write(Self.item("old", "DTSTART:20200101T120000Z"))
      try await scene.sync()
      scene.local.remove("a")
      scene.options.filter.past = 5000
      let outcome = try await scene.sync()
      #expect(outcome.summary.deletedLocally + outcome.summary.deletedRemotely == 0)
      scene.expectBoth(["a": "1", "b": "2", "c": "3", "old": "old"])
      scene.options.filter = ItemFilter()
      try await scene.sync()
      scene.expectBoth(["a": "1", "b": "2", "c": "3", "old": "old"])
      try await scene.expectRest()
    }
  }

  @Test("Components are kept apart, and what was synced before is kept in step")
  func components() async throws {
    var scene = scene()
    scene.options.filter = ItemFilter()
    scene.local.write(TestItem.make(uid: "task", kind: .reminder))
    for _ in 1...2 { try await scene.sync() }
    scene.options.filter.kinds = [.event]
    scene.local.write(TestItem.make(uid: "other", kind: .reminder))
    scene.remote.write(TestItem.make(uid: "meeting"))
    try await scene.sync()
    #expect(scene.local.items.keys.sorted() == ["meeting", "other", "task"])
    #expect(scene.remote.items.keys.sorted() == ["meeting", "task"])
    try await scene.expectRest()
  }

  @Test("Under write-only access nothing is added that is outside")
  func writeOnly() async throws {
    var scene = scene()
    scene.tier = .writeOnly
    for item in Self.inside + Self.outside where item.kind == .event { scene.local.write(item) }
    try await scene.sync()
    let events = Self.inside.filter { $0.kind == .event }.map(\.uid.rawValue)
    #expect(scene.remote.items.keys.sorted() == events.sorted())
  }

  @Test("An event added under write-only access is deleted here with the remote one, also outside")
  func addedBefore() async throws {
    var scene = scene()
    scene.options.filter = ItemFilter()
    scene.tier = .writeOnly
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid)) }
    scene.local.write(Self.item("old", "DTSTART:20200101T120000Z"))
    try await scene.sync()
    scene.tier = .full
    scene.options.filter.past = 30
    scene.remote.remove("old")
    try await scene.sync()
    #expect(scene.local.items.keys.sorted() == ["a", "b"])
  }

  @Test("What is outside and deleted on the remote is forgotten")
  func forgotten() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      let scene = scene(quirks)
      for uid in ["old", "older"] {
        scene.remote.write(Self.item(uid, "DTSTART:20200101T120000Z"))
      }
      try await scene.sync()
      #expect(try await scene.ledger.outside(of: scene.binding).count == 2)
      scene.remote.remove("old")
      for _ in 1...2 { try await scene.sync() }
      #expect(try await scene.ledger.outside(of: scene.binding).map(\.uid) == [UID("older")])
      try await scene.expectRest()
    }
  }

  @Test("A verification looks at what is outside too")
  func verification() async throws {
    var scene = scene()
    scene.remote.write(Self.item("old", "DTSTART:20200101T120000Z"))
    try await scene.sync()
    scene.remote.replaceSilently("old", by: Self.item("old", "DTSTART:20260302T120000Z"))
    try await scene.sync()
    #expect(scene.local.items.isEmpty)
    scene.options.isVerifying = true
    try await scene.sync()
    scene.expectBoth(["old": "old"])
  }

  @Test("A dry run remembers nothing")
  func dryRun() async throws {
    var scene = scene()
    scene.options.isDryRun = true
    scene.remote.write(Self.item("old", "DTSTART:20200101T120000Z"))
    #expect(try await scene.sync().plan == "")
    #expect(try await scene.ledger.outside(of: scene.binding) == [])
  }

  @Test(
    "A filter is told in one way",
    arguments: [
      (nil, nil, nil, ""), (90, nil, nil, "past=90"), (90, 731, nil, "past=90;future=731"),
      (nil, nil, [.reminder, .event], "components=VEVENT,VTODO"),
    ] as [(Int?, Int?, Set<ItemKind>?, String)])
  func text(_ past: Int?, _ future: Int?, _ kinds: Set<ItemKind>?, _ expected: String) {
    var filter = ItemFilter()
    (filter.past, filter.future, filter.kinds) = (past, future, kinds)
    #expect(filter.text == expected)
    #expect(filter.isActive == !expected.isEmpty)
  }

  @Test("What was deleted here while it was outside comes back from the remote once it is inside")
  func deletedOutside() async throws {
    for quirks in [[], .keepsCursors] as [MemoryRemote.Quirks] {
      var scene = scene(quirks)
      scene.options.verificationInterval = nil
      let item = Self.item("later", "DTSTART:20260410T120000Z")
      scene.local.write(item)
      scene.remote.write(item)
      for _ in 1...2 { try await scene.sync() }
      scene.local.remove("later")
      for _ in 1...2 { try await scene.sync() }
      #expect(scene.remote.items.keys.sorted() == ["later"])
      #expect(scene.local.items.isEmpty)
      scene.now += 20 * Self.day
      try await scene.sync()
      #expect(scene.local.items.keys.sorted() == ["later"], "\(quirks)")
    }
  }
}
