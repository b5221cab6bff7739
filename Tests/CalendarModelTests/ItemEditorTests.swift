// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Edits of a series with each span: what is written, line by line.
@Suite struct ItemEditorTests {
  static let editor = ItemEditor(
    zones: ZoneResolverTests.resolver, now: Instant(utc: wall("20260701T120000"))
  ) { UID("new@example.org") }

  static let zone = ";TZID=Europe/Vienna:"
  /// Nine days from the first of March at nine, but for the third; the changed clock lies after them.
  static let main = [
    "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z", "SEQUENCE:2",
    "DTSTART\(zone)20260301T090000", "DTEND\(zone)20260301T100000", "RRULE:FREQ=DAILY;COUNT=9",
    "EXDATE\(zone)20260303T090000", "X-ODD;A=\"b\":1\\,2", "SUMMARY:A", "END:VEVENT",
  ]
  static let override = [
    "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(zone)20260306T090000",
    "DTSTART\(zone)20260306T110000", "SUMMARY:B", "END:VEVENT",
  ]
  static let stamps = ["DTSTAMP:20260701T120000Z", "LAST-MODIFIED:20260701T120000Z"]

  static func item(_ components: [String]...) throws -> CalendarItem {
    try CalendarItem(
      parsing: calendar(components.flatMap { $0 }),
      normalForm: NormalForm(zones: ZoneResolverTests.resolver))
  }

  /// The lines of the components of an item, each sorted but for the first and the last.
  static func lines(_ item: CalendarItem?) -> [[String]] {
    (item?.components ?? []).map { component in
      text(component).split(separator: "\r\n").map(String.init).dropFirst().dropLast().sorted()
    }
  }

  static func sorted(_ lines: [String]) -> [String] {
    lines.filter { !$0.hasPrefix("BEGIN:") && !$0.hasPrefix("END:") }.sorted()
  }

  /// The lines of the main component with some replaced, by what they begin with.
  static func main(_ changes: (String, String?)...) -> [String] {
    var lines = main
    for (prefix, line) in changes {
      lines.removeAll { $0.hasPrefix(prefix) }
      if let line { lines.append(line) }
    }
    return sorted(lines)
  }

  static func at(_ text: String) -> EventTime { .zoned(wall(text), tzID: "Europe/Vienna") }

  static func rename(_ event: inout Event) { event.summary = "C" }

  @Test("An edit of one occurrence makes an override and leaves the series alone")
  func newOverride() throws {
    let item = try Self.item(Self.main, Self.override)
    let edited = try Self.editor.edit(
      item, .occurrence(.utc(wall("20260304T080000"))), Self.rename)
    #expect(edited.successor == nil)
    let lines = Self.lines(edited.item)
    #expect(lines.prefix(2) == [Self.sorted(Self.main), Self.sorted(Self.override)])
    #expect(
      lines.last
        == Self.main(
          ("DTSTART", "DTSTART\(Self.zone)20260304T090000"),
          ("DTEND", "DTEND\(Self.zone)20260304T100000"), ("RRULE", nil), ("EXDATE", nil),
          ("SUMMARY", "SUMMARY:C"), ("DTSTAMP", Self.stamps[0]), ("LAST-MOD", Self.stamps[1]),
          ("RECURRENCE-ID", "RECURRENCE-ID\(Self.zone)20260304T090000")))
  }

  @Test("An edit of an occurrence that has an override changes that")
  func oldOverride() throws {
    let item = try Self.item(Self.main, Self.override)
    let edited = try Self.editor.edit(item, .occurrence(Self.at("20260306T090000"))) {
      (event: inout Event) in
      event.start = Self.at("20260306T120000")
    }
    #expect(
      Self.lines(edited.item) == [
        Self.sorted(Self.main),
        ([
          "UID:1", "RECURRENCE-ID\(Self.zone)20260306T090000",
          "DTSTART\(Self.zone)20260306T120000", "SUMMARY:B", "SEQUENCE:1",
        ] + Self.stamps).sorted(),
      ])
  }

  @Test(
    "Deleting an occurrence excludes it, with its override, and the last one takes the item along")
  func deletedOccurrence() throws {
    let item = try Self.item(Self.main, Self.override)
    let edited = try Self.editor.delete(item, .occurrence(Self.at("20260306T090000")))
    #expect(
      Self.lines(edited.item) == [
        (Self.main(
          ("SEQUENCE", "SEQUENCE:3"), ("DTSTAMP", Self.stamps[0]), ("LAST-MOD", Self.stamps[1]))
          + ["EXDATE\(Self.zone)20260306T090000"]).sorted()
      ])
    let two = try Self.item(
      ["BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20260301", "RRULE:FREQ=DAILY;COUNT=2"]
        + ["END:VEVENT"])
    let one = try #require(
      try Self.editor.delete(two, .occurrence(.date(day("20260301")))).item)
    #expect(try Self.editor.delete(one, .occurrence(.date(day("20260302")))).item == nil)
    #expect(try Self.editor.delete(two, .all).item == nil)
  }

  @Test("An occurrence that there is none of cannot be edited")
  func noOccurrence() throws {
    let item = try Self.item(Self.main, Self.override)
    let times = [
      ("20260303T090000", "2026-03-03 09:00"), ("20260304T100000", "2026-03-04 10:00"),
      ("20260401T090000", "2026-04-01 09:00"),
    ]
    for (time, text) in times {
      let error = #expect(throws: EditError.self) {
        try Self.editor.edit(item, .occurrence(Self.at(time)), Self.rename)
      }
      #expect(error?.code == .noOccurrence)
      #expect(error?.message == "expected an occurrence at \(text) Europe/Vienna, found none")
      #expect(throws: EditError.self) {
        try Self.editor.delete(item, .future(from: Self.at(time)))
      }
    }
    let kind = #expect(throws: EditError.self) {
      try Self.editor.edit(item, .all) { (_: inout Reminder) in }
    }
    #expect(kind?.code == .otherKind)
    let alone = try Self.item(Self.override)
    let series = #expect(throws: EditError.self) {
      try Self.editor.edit(alone, .all, Self.rename)
    }
    #expect(series?.code == .noSeries)
    let one = try Self.editor.edit(alone, .occurrence(Self.at("20260306T090000")), Self.rename)
    #expect(one.item?.overrides.first?[.summary]?.text == "C")
  }

  @Test("An edit of this and all later ones splits the series in two")
  func split() throws {
    let exclusion = "EXDATE\(Self.zone)20260303T090000,20260307T090000"
    let item = try Self.item(
      Self.main.map { $0.hasPrefix("EXDATE") ? exclusion : $0 }, Self.override)
    let edited = try Self.editor.edit(
      item, .future(from: Self.at("20260305T090000")), Self.rename)
    #expect(
      Self.lines(edited.item) == [
        Self.main(
          ("RRULE", "RRULE:FREQ=DAILY;COUNT=4"), ("SEQUENCE", "SEQUENCE:3"),
          ("DTSTAMP", Self.stamps[0]), ("LAST-MOD", Self.stamps[1]),
          ("RELATED-TO", "RELATED-TO;RELTYPE=NEXT:new@example.org"))
      ])
    let new = Self.lines(edited.successor)
    #expect(
      new.first
        == Self.main(
          ("UID", "UID:new@example.org"), ("SEQUENCE", nil),
          ("DTSTART", "DTSTART\(Self.zone)20260305T090000"),
          ("DTEND", "DTEND\(Self.zone)20260305T100000"), ("RRULE", "RRULE:FREQ=DAILY;COUNT=5"),
          ("EXDATE", "EXDATE\(Self.zone)20260307T090000"), ("SUMMARY", "SUMMARY:C"),
          ("CREATED", "CREATED:20260701T120000Z"), ("DTSTAMP", Self.stamps[0]),
          ("LAST-MOD", Self.stamps[1]), ("RELATED-TO", "RELATED-TO;RELTYPE=FIRST:1")))
    #expect(
      new.last == Self.sorted(Self.override.map { $0 == "UID:1" ? "UID:new@example.org" : $0 }))
  }

  @Test("The part between two splits leads to the later part")
  func splitBetween() throws {
    let next = "RELATED-TO;RELTYPE=NEXT:later@example.org"
    let continued = Self.main.dropLast() + [next, "END:VEVENT"]
    let edited = try Self.editor.edit(
      try Self.item(Array(continued)), .future(from: Self.at("20260305T090000")), Self.rename)
    func relations(_ item: CalendarItem?) -> [String: String] {
      let pairs = item?.main.map { Event($0).relations } ?? []
      return Dictionary(pairs.map { ($0.type.rawValue, $0.target) }) { $0 + " " + $1 }
    }
    #expect(relations(edited.item) == ["NEXT": "new@example.org"])
    #expect(relations(edited.successor) == ["FIRST": "1", "NEXT": "later@example.org"])
  }

  @Test("A series that has no COUNT ends with its last occurrence, in UTC, and goes on as it did")
  func splitUntil() throws {
    func rules(_ start: String, _ rule: String, _ time: EventTime) throws -> [String?] {
      let item = try Self.item(["BEGIN:VEVENT", "UID:1", start, "RRULE:\(rule)", "END:VEVENT"])
      let edited = try Self.editor.edit(item, .future(from: time), Self.rename)
      return [edited.item, edited.successor].map { $0?.main?[.rRule]?.rawValue }
    }
    let weekly = try rules(
      "DTSTART\(Self.zone)20260301T090000", "FREQ=WEEKLY;BYDAY=SU,WE", Self.at("20260401T090000"))
    #expect(
      weekly == ["FREQ=WEEKLY;UNTIL=20260329T070000Z;BYDAY=WE,SU", "FREQ=WEEKLY;BYDAY=WE,SU"])
    #expect(
      try rules(
        "DTSTART;VALUE=DATE:20260301", "FREQ=DAILY;UNTIL=20260401", .date(day("20260310")))
        == ["FREQ=DAILY;UNTIL=20260309", "FREQ=DAILY;UNTIL=20260401"])
    #expect(
      try rules("DTSTART:20260301T090000", "FREQ=DAILY", .floating(wall("20260310T090000")))
        == ["FREQ=DAILY;UNTIL=20260309T090000", "FREQ=DAILY"])
  }

  @Test("Deleting this and all later ones ends the series; from the first one on nothing is left")
  func deletedFuture() throws {
    let item = try Self.item(Self.main, Self.override)
    let edited = try Self.editor.delete(item, .future(from: Self.at("20260305T090000")))
    #expect(
      Self.lines(edited.item) == [
        Self.main(
          ("RRULE", "RRULE:FREQ=DAILY;COUNT=4"), ("SEQUENCE", "SEQUENCE:3"),
          ("DTSTAMP", Self.stamps[0]), ("LAST-MOD", Self.stamps[1]))
      ])
    #expect(
      try Self.editor.delete(item, .future(from: Self.at("20260301T090000"))).item == nil)
    // From the first one on, an edit is one of all.
    let all = try Self.editor.edit(
      item, .future(from: Self.at("20260301T090000")), Self.rename)
    #expect(all.successor == nil)
    #expect(all.item?.main?[.summary]?.text == "C")
  }

  @Test("With its start a series moves what it excludes, adds and overrides, and its end")
  func moved() throws {
    let item = try Self.item(
      [
        "BEGIN:VEVENT", "UID:1", "DTSTART\(Self.zone)20260301T090000",
        "RRULE:FREQ=WEEKLY;BYDAY=SU,WE;UNTIL=20260501T070000Z", "EXDATE:20260401T070000Z",
        "RDATE;VALUE=DATE:20260402", "RDATE\(Self.zone)20260403T090000", "END:VEVENT",
      ],
      [
        "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(Self.zone)20260304T090000",
        "DTSTART\(Self.zone)20260304T090000", "DTEND\(Self.zone)20260304T093000", "END:VEVENT",
      ],
      [
        "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(Self.zone)20260308T090000",
        "DTSTART\(Self.zone)20260309T150000", "END:VEVENT",
      ])
    let edited = try Self.editor.edit(item, .all) { (event: inout Event) in
      event.start = Self.at("20260302T103000")
    }
    let lines = Self.lines(edited.item)
    #expect(
      lines.first
        == ([
          "UID:1", "DTSTART\(Self.zone)20260302T103000", "SEQUENCE:1",
          "RRULE:FREQ=WEEKLY;UNTIL=20260502T083000Z;BYDAY=MO,TH",
          "EXDATE\(Self.zone)20260402T103000", "RDATE;VALUE=DATE:20260403",
          "RDATE\(Self.zone)20260404T103000",
        ] + Self.stamps).sorted())
    #expect(
      lines.dropFirst().first
        == ([
          "UID:1", "RECURRENCE-ID\(Self.zone)20260305T103000", "SEQUENCE:1",
          "DTSTART\(Self.zone)20260305T103000", "DTEND\(Self.zone)20260305T110000",
        ] + Self.stamps).sorted())
    // One that was moved by itself stays where it is.
    #expect(
      lines.last
        == ([
          "UID:1", "RECURRENCE-ID\(Self.zone)20260309T103000", "DTSTART\(Self.zone)20260309T150000",
        ] + Self.stamps).sorted())
  }

  @Test(
    "A series becomes one of days, or goes to another zone, with all that names its occurrences")
  func otherForms() throws {
    let item = try Self.item(Self.main.filter { !$0.hasPrefix("DTEND") }, Self.override)
    let days = try Self.editor.edit(item, .all) { (event: inout Event) in
      event.start = .date(day("20260302"))
    }
    #expect(days.item?.main?[.exDate]?.rawValue == "20260304")
    #expect(days.item?.overrides.first?[.recurrenceID]?.rawValue == "20260307")
    let zoned = try Self.editor.edit(item, .all) { (event: inout Event) in
      event.start = .zoned(wall("20260301T080000"), tzID: "Europe/London")
    }
    let exclusion = zoned.item?.main?[.exDate]
    #expect(exclusion?.rawValue == "20260303T080000")
    #expect(exclusion?[.tzID] == "Europe/London")
  }

  @Test("What stops recurring keeps no exceptions, and what is not changed keeps its bytes")
  func single() throws {
    let item = try Self.item(Self.main, Self.override)
    let single = try Self.editor.edit(item, .all) { (event: inout Event) in
      event.recurrence.rules = []
    }
    #expect(single.item?.components.count == 1)
    #expect(single.item?.main?[.exDate] == nil)
    let same = try Self.editor.edit(item, .all) { (_: inout Event) in }
    #expect(same.item?.serialized() == item.serialized())
  }

  @Test("An override for all later ones, too, is what they are like")
  func thisAndFuture() throws {
    let item = try Self.item(
      Self.main,
      [
        "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE\(Self.zone)20260304T090000",
        "DTSTART\(Self.zone)20260304T110000", "DTEND\(Self.zone)20260304T113000", "SUMMARY:L",
        "END:VEVENT",
      ])
    // An occurrence after it is made from it.
    let later = try Self.editor.edit(item, .occurrence(Self.at("20260305T090000"))) {
      (event: inout Event) in
      #expect(event.summary == "L")
      #expect(event.start == Self.at("20260305T110000"))
      #expect(event.end == .time(Self.at("20260305T113000")))
      event.location = "D"
    }
    #expect(later.item?.components.count == 3)
    #expect(later.item?.overrides.last?[.recurrenceID]?.hasRange == false)
    // Editing the one that it begins with leaves the later ones as they were.
    let first = try Self.editor.edit(item, .occurrence(Self.at("20260304T090000")), Self.rename)
    let overrides = first.item?.overrides ?? []
    #expect(
      overrides.compactMap { $0[.recurrenceID]?.rawValue }.sorted()
        == ["20260304T090000", "20260305T090000"])
    // A series that is split there goes on as the override says.
    let split = try Self.editor.edit(
      item, .future(from: Self.at("20260305T090000")), Self.rename)
    #expect(split.successor?.main?[.dtStart]?.rawValue == "20260305T110000")
    #expect(split.successor?.main?[.rRule]?.rawValue == "FREQ=DAILY;COUNT=5")
  }

  @Test("Only who organizes counts SEQUENCE up, and no more than it can count")
  func sequence() throws {
    var editor = Self.editor
    editor.isOrganizer = false
    let item = try Self.item(Self.main)
    let move = { (event: inout Event) in event.start = Self.at("20260301T093000") }
    #expect(try editor.edit(item, .all, move).item?.main?[.sequence]?.rawValue == "2")
    #expect(try Self.editor.edit(item, .all, move).item?.main?[.sequence]?.rawValue == "3")
    // A title is no revision.
    #expect(
      try Self.editor.edit(item, .all, Self.rename).item?.main?[.sequence]?.rawValue == "2")
    let last = try Self.item(Self.main.map { $0.hasPrefix("SEQ") ? "SEQUENCE:2147483647" : $0 })
    #expect(
      try Self.editor.edit(last, .all, move).item?.main?[.sequence]?.rawValue == "2147483647")
  }

  @Test("In a meeting of another organizer, the revision stays that of the organizer")
  func invited() throws {
    var editor = Self.editor
    editor.userAddresses = [CalendarAddress("mailto:ben@example.org")]
    let people = ["ORGANIZER:mailto:ann@example.org", "ATTENDEE:mailto:Ben@example.org"]
    let item = try Self.item(Self.main.dropLast() + people + ["END:VEVENT"])
    let move = { (event: inout Event) in event.start = Self.at("20260301T093000") }
    for edited in [try editor.edit(item, .all, move), try editor.edit(item, .all, Self.rename)] {
      #expect(edited.item?.main?[.sequence]?.rawValue == "2")
      #expect(edited.item?.main?[.dtStamp]?.rawValue == "20260101T000000Z")
      #expect(edited.item?.main?[.lastModified] != nil)
    }
    editor.userAddresses = [CalendarAddress("mailto:Ann@example.org")]
    let own = try editor.edit(item, .all, move).item?.main
    #expect(own?[.sequence]?.rawValue == "3")
    #expect(own?[.dtStamp]?.rawValue != "20260101T000000Z")
  }

  @Test("The first occurrence of a rule that cannot be expanded can be changed, and not deleted")
  func unusableRule() throws {
    let rule = "RRULE:RSCALE=MARS;FREQ=DAILY"
    let item = try Self.item([
      "BEGIN:VEVENT", "UID:1", "DTSTART:20260301T090000Z", rule, "SUMMARY:A", "END:VEVENT",
    ])
    let time = EventTime.utc(wall("20260301T090000"))
    let edited = try #require(try Self.editor.edit(item, .occurrence(time), Self.rename).item)
    #expect(edited.main == item.main)
    #expect(edited.overrides.map { Event($0).summary } == ["C"])
    let refused = #expect(throws: EditError.self) {
      try Self.editor.delete(item, .occurrence(time))
    }
    #expect(refused?.code == .unsupported)
    #expect(try Self.editor.delete(item, .future(from: time)).item == nil)
    let later = EventTime.utc(wall("20260302T090000"))
    let error = #expect(throws: EditError.self) {
      try Self.editor.edit(item, .occurrence(later), Self.rename)
    }
    #expect(error?.code == .noOccurrence)
  }
}

extension Property {
  fileprivate var hasRange: Bool { self[.range] != nil }
}
