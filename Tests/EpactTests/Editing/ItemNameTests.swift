// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import TestSupport
import Testing

/// The names by which users name items, and the texts of values.
struct ItemNameTests {
  private let world: EditScene

  init() throws {
    world = try EditScene()
    for (uid, title) in [("abc-1", "Lunch"), ("abd-2", "Lunch with Ana"), ("3", "Three")] {
      try world.scene.write(
        TestItem.make(uid: uid, summary: title), to: "calendars/private/\(uid).ics")
    }
    try world.scene.write(
      TestItem.make(uid: "work", summary: "Review"), to: "synced/work/work.ics")
  }

  private func find(_ name: String, listed: [ListedItem] = []) throws -> String {
    try ItemFinder(world.editor, listed: listed).item(name).item.uid.rawValue
  }

  @Test func aUIDABeginningOrATitleNamesAnItem() throws {
    #expect(try find("abc-1") == "abc-1")
    #expect(try find("abc") == "abc-1")
    #expect(try find("lunch") == "abc-1")
    #expect(try find("LUNCH WITH") == "abd-2")
    #expect(try find("rev") == "work")
  }

  @Test func aWordOfATitleIsMeantRatherThanTheFirstLettersOfAUID() throws {
    for (uid, title) in [
      ("dea12345-aaaa", "Wedding"), ("77", "Visit of Dea"), ("a92e0000-1", "Trip"),
      ("78", "Event A"),
    ] {
      try world.scene.write(
        TestItem.make(uid: uid, summary: title), to: "calendars/private/\(uid).ics")
    }
    #expect(try find("dea") == "77")
    #expect(try find("dea12345") == "dea12345-aaaa")
    #expect(try find("dea1") == "dea12345-aaaa")
    // "Ana" and "A" begin with it.
    #expect(throws: EpactError.self) { try find("a") }
  }

  @Test func theTitleOfAChangedOccurrenceNamesIt() throws {
    func component(_ lines: String...) -> String {
      (["BEGIN:VEVENT", "UID:team", "DTSTAMP:20260102T030405Z"] + lines + ["END:VEVENT"])
        .joined(separator: "\r\n")
    }
    let text = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN",
      component("DTSTART:20260302T090000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Team"),
      component("RECURRENCE-ID:20260309T090000Z", "DTSTART:20260309T100000Z", "SUMMARY:Retro"),
      component("RECURRENCE-ID:20260316T090000Z", "DTSTART:20260316T100000Z", "SUMMARY:Team out"),
      component("RECURRENCE-ID:20260323T090000Z", "DTSTART:20260323T100000Z", "SUMMARY:Guest"),
      component("RECURRENCE-ID:20260330T090000Z", "DTSTART:20260330T100000Z", "SUMMARY:Guest"),
      "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    try world.scene.write(
      CalendarItem(parsing: Array(text.utf8)), to: "calendars/private/team.ics")
    func found(_ name: String) throws -> String {
      let found = try ItemFinder(world.editor).item(name)
      return found.title + (found.occurrenceOfTitle.map { " \($0.wallTime)" } ?? "")
    }
    #expect(try found("retro") == "Retro 20260309T090000")
    #expect(try found("ret") == "Retro 20260309T090000")
    #expect(try found("team out") == "Team out 20260316T090000")
    // Several occurrences with one title are those of one series.
    #expect(try found("guest") == "Team")
    // A name of the series is the series.
    for name in ["team", "Team", "tea"] { #expect(try found(name) == "Team") }
    try world.scene.write(
      TestItem.make(uid: "other", summary: "Retrospective"), to: "calendars/private/other.ics")
    #expect(try found("retro") == "Retro 20260309T090000")
    #expect(throws: EpactError.self) { try found("ret") }
  }

  @Test func anAccentMayBeLeftOutAfterExactNames() throws {
    for (uid, title) in [
      ("m1", "Müller"), ("m2", "Jürgen Müller-Lüdenscheidt"), ("c", "Café"), ("e", "Crème brûlée"),
    ] {
      try world.scene.write(
        TestItem.make(uid: uid, summary: title), to: "calendars/private/\(uid).ics")
    }
    #expect(try find("muller") == "m1")
    #expect(try find("MULLER") == "m1")
    #expect(try find("ludenscheidt") == "m2")
    #expect(try find("cafe") == "c")
    #expect(try find("brule") == "e")
    #expect(try find("müller") == "m1")
    // The exact name of another item is meant, and so is its beginning.
    try world.scene.write(
      TestItem.make(uid: "m3", summary: "Muller"), to: "calendars/private/m3.ics")
    #expect(try find("muller") == "m3")
    #expect(try find("müller") == "m1")
    #expect(try find("mull") == "m3")
    // As in a search, an accent too many names an item, too. A part of a word names nothing.
    #expect(try find("lünch") == "abc-1")
    #expect(throws: EpactError.self) { try find("uller") }
  }

  @Test func aNumberThatIsNotListedNamesNoOtherItem() throws {
    try world.scene.write(
      TestItem.make(uid: "14aab092", summary: "14 July"), to: "calendars/private/x.ics")
    for name in ["14", "1", "0", "-1"] { #expect(throws: EpactError.self) { try find(name) } }
    #expect(try find("3") == "3")
    for name in ["14a", "14 j", "14 JULY"] { #expect(try find(name) == "14aab092") }
  }

  @Test func theNumbersOfASearchNameItsItems() throws {
    func search(_ text: String, _ calendars: [CalendarLocation]) throws -> [ListedItem] {
      let query = try ItemQuery(
        parsing: text,
        phrases: DatePhrases(
          now: Instant(secondsSinceEpoch: 1_795_613_840), zone: world.editor.viewer))
      let matcher = QueryMatcher(query, machine: world.scene.machine, viewer: world.editor.viewer)
      let found = try ItemSearch(matcher, in: calendars, machine: world.scene.machine) { _ in }
      return ListedItems.items(of: found.matches, in: try world.library.calendars())
    }
    let configured = try world.library.calendars().map {
      CalendarLocation(path: $0.location.path, name: $0.name)
    }
    let listed = try search("ana or review", configured)
    #expect(try Set(["1", "2"].map { try find($0, listed: listed) }) == ["abd-2", "work"])
    #expect(throws: EpactError.self) { try find("2", listed: try search("dentist", configured)) }
    // The items of a file that is in no configuration have no numbers.
    let path = world.scene.folder.path(of: "calendars/private")
    #expect(try search("ana", [CalendarLocation(path: path)]) == [])
  }

  @Test func aNameOfSeveralItemsListsThem() throws {
    let error = try #require(throws: EpactError.self) { try find("ab") }
    let when = "Sun 2026-03-01 13:00"
    #expect(
      error.details == [
        "1  \"Lunch\", \(when), in private (abc-1)",
        "2  \"Lunch with Ana\", \(when), in private (abd-2)",
      ])
    for name in ["nothing", ""] { #expect(throws: EpactError.self) { try find(name) } }
  }

  @Test func twoUIDsThatDifferInNormalizationCanBothBeNamed() throws {
    for (name, uid, title) in [("a", "caf\u{E9}", "One"), ("b", "cafe\u{301}", "Two")] {
      try world.scene.write(
        TestItem.make(uid: uid, summary: title), to: "calendars/private/\(name).ics")
    }
    func title(_ name: String) throws -> String {
      try ItemFinder(world.editor).item(name).item.title
    }
    #expect(try title("caf\u{E9}") == "One")
    #expect(try title("cafe\u{301}") == "Two")
  }

  @Test func theDateDecidesBetweenSeveralItems() throws {
    let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//X//EN"]
    for (uid, day, rule) in [
      ("d1", "20261210", nil), ("d2", "20261217", nil), ("s1", "20261201", "COUNT=2"),
      ("s2", "20261215", "COUNT=2"),
    ] as [(String, String, String?)] {
      let title = rule == nil ? "Dentist" : "Standup"
      try world.scene.folder.write(
        lines: lines + [
          "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "SUMMARY:\(title)",
          "DTSTART;TZID=Europe/Berlin:\(day)T100000", "DURATION:PT1H",
        ] + (rule.map { ["RRULE:FREQ=WEEKLY;\($0)"] } ?? []) + ["END:VEVENT", "END:VCALENDAR"],
        to: "calendars/private/\(uid).ics")
    }
    let finder = try ItemFinder(world.editor, dates: try world.dates)
    func found(_ name: String, _ choice: SpanChoice? = nil) throws -> [String] {
      try finder.items(name, having: choice).map(\.item.uid.rawValue)
    }
    #expect(try found("dentist") == ["d1", "d2"])
    #expect(try found("Dentist 2026-12-17") == ["d2"])
    #expect(try found("dentist 10 dec 10:00") == ["d1"])
    #expect(throws: EpactError.self) { try found("dentist 2026-12-18") }
    // Both halves of a series that was changed from a date on have one title.
    #expect(try found("standup") == ["s1", "s2"])
    #expect(try found("standup", .this(try world.dates.moment("2026-12-22"))) == ["s2"])
    #expect(try found("standup", .future(try world.dates.moment("2026-12-08"))) == ["s1"])
    #expect(try found("standup", .this(try world.dates.moment("2026-12-09"))) == ["s1", "s2"])
  }

  @Test("A day and a month in a name mean the nearest one, or else the other one that exists")
  func nearestDay() throws {
    // Sunday 2026-11-29 14:00 in Berlin.
    let world = try EditScene(now: Instant(secondsSinceEpoch: 1_795_957_200))
    for (uid, lines) in [
      ("yoga", ["DTSTART:20261126T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:Yoga"]),
      ("fair", ["DTSTART:20261010T090000Z", "SUMMARY:Fair"]),
      ("gala", ["DTSTART:20270502T090000Z", "SUMMARY:Gala"]),
    ] {
      try world.scene.folder.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:\(uid)",
          "DTSTAMP:20261101T000000Z",
        ] + lines + ["END:VEVENT", "END:VCALENDAR"], to: "calendars/private/\(uid).ics")
    }
    let finder = try ItemFinder(world.editor, dates: world.dates)
    func start(_ name: String) throws -> String? {
      let found = try finder.item(name)
      return (found.occurrence ?? found.item.main.flatMap { Event($0).start })?.date.description
    }
    for (name, expected) in [
      ("yoga 26 nov", "20261126"), ("yoga 1 dec", "20261201"),
      ("yoga 26 nov 2027", "20271126"), ("yoga 26 nov 10:00", "20261126"),
      ("yoga 2 jun", "20270602"), ("fair 10 oct", "20261010"), ("gala 2 may", "20270502"),
    ] {
      #expect(try start(name) == expected, "\(name)")
    }
    #expect(throws: EpactError.self) { try finder.item("fair 11 oct") }
  }

  @Test func ofSeveralRemindersTheOpenOneIsMeant() throws {
    for (uid, status) in [("p-1", "COMPLETED"), ("p-2", "NEEDS-ACTION"), ("p-3", "CANCELLED")] {
      let text =
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//X//EN\nBEGIN:VTODO\nUID:\(uid)\n"
        + "DTSTAMP:20260102T030405Z\nSUMMARY:Pay\nSTATUS:\(status)\nEND:VTODO\nEND:VCALENDAR\n"
      try world.scene.folder.write(text.utf8, to: "calendars/tasks/\(uid).ics")
    }
    #expect(try find("pay") == "p-2")
    #expect(try find("p-1") == "p-1")
    let closed = try #require(throws: EpactError.self) {
      try ItemFinder(world.editor).item("pay", prefersClosed: true)
    }
    #expect(closed.details.count == 2)
  }

  @Test func aNumberNamesTheListedItemUnlessItIsAUID() throws {
    let home = try world.calendar("private")
    let listed = ["abd-2", "abc-1", "abc-1"].map { ListedItem(calendar: home.id, uid: UID($0)) }
    #expect(try find("1", listed: listed) == "abd-2")
    #expect(try find("2", listed: listed) == "abc-1")
    #expect(try find("3", listed: listed) == "3")
    #expect(throws: EpactError.self) { try find("4", listed: listed) }
  }

  @Test func theListedItemsAreRemembered() throws {
    let items = [
      ListedItem(calendar: "c", uid: "a\tb\\n\nc"), ListedItem(calendar: "d", uid: "e"),
    ]
    let list = ListedItems(machine: world.scene.machine)
    #expect(list.load().isEmpty)
    try list.store(items)
    #expect(list.load() == items)
  }

  // MARK: Texts

  @Test(arguments: [
    ("15m", "-PT15M", "15m"), ("1h30m", "-PT1H30M", "1h30m"), ("1d", "-P1D", "1d"),
    ("1w", "-P1W", "1w"), ("+5m", "PT5M", "+5m"), ("0m", "PT0S", "0m"), ("pt10m", "-PT10M", "10m"),
    ("2 hours", "-PT2H", "2h"),
  ])
  func alarmsAreWrittenAsDurations(text: String, duration: String, canonical: String) throws {
    let alarm = try AlarmTime(parsing: text)
    #expect(alarm.trigger == .relative(try CivilDuration(parsing: duration), to: .start))
    #expect(alarm.text() == canonical)
    #expect(try AlarmTime(parsing: canonical) == alarm)
  }

  @Test func alarmsHaveAnAnchorOrAnInstant() throws {
    let end = try AlarmTime(parsing: "1h@end")
    #expect(end.text() == "1h@end")
    #expect(end.text(anchor: .end) == "1h")
    #expect(try AlarmTime(parsing: "1h", anchor: .end) == end)
    #expect(try AlarmTime(parsing: "20261127T090000Z").text() == "20261127T090000Z")
  }

  @Test(arguments: ["", "m", "5", "1x", "1h1h", "-5m", "99999999999m", "@end"])
  func otherTextsAreNoAlarms(text: String) {
    #expect(throws: EpactError.self) { try AlarmTime(parsing: text) }
  }

  @Test(
    arguments: [
      ("high", 1), ("Medium", 5), ("low", 9), ("none", 0), ("7", 7), ("10", nil), ("x", nil),
    ] as [(String, Int?)])
  func prioritiesAreWordsOrNumbers(text: String, number: Int?) {
    #expect(Priority.number(text) == number)
  }
}
