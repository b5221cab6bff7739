// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactConsole
import Foundation
import Testing

/// The pages of weeks and searches, and the colours of calendars.
@Suite("Pages") struct PageTests {
  private static let events = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VEVENT
    UID:fair
    DTSTART;VALUE=DATE:20261124
    DTEND;VALUE=DATE:20261126
    SUMMARY:Fair
    END:VEVENT
    BEGIN:VEVENT
    UID:review
    DTSTART:20261123T091500
    DTEND:20261123T103000
    SUMMARY:Design review
    END:VEVENT
    BEGIN:VEVENT
    UID:call
    DTSTART:20261123T100000
    DTEND:20261123T110000
    SUMMARY:Call
    END:VEVENT
    END:VCALENDAR
    """

  /// The lines of the week of some events, by default of those above.
  private func lines(_ events: String = events, columns: Int) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "epact-week-\(UUID()).ics")
    try Data(events.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let zone = try Machine.live().viewerZone("Europe/Berlin")
    let monday = try CivilDate(parsing: "20261123")
    let request = ViewRequest(
      [CalendarLocation(path: file.path())], in: WeekDays.range(from: monday, in: zone),
      viewer: zone)
    let view = try OccurrenceView(request) { _ in }
    var grid = try WeekGrid(ViewStyle(locale: "en_GB", columns: columns))
    return try grid.lines(of: WeekDays(view.days(), from: monday)) {
      view.calendar(ofSource: $0)
    }.map(\.plain)
  }

  @Test("Events that the user declined or accepted tentatively are marked")
  func answers() throws {
    var text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//A//B//EN\n"
    for (hour, status) in [("09", "DECLINED"), ("10", "TENTATIVE"), ("11", "ACCEPTED")] {
      text += "BEGIN:VEVENT\nUID:\(hour)\nDTSTART:20261124T\(hour)0000\nSUMMARY:Call\(hour)\n"
      text += "ORGANIZER:mailto:bo@example.org\n"
      text += "ATTENDEE;PARTSTAT=\(status):mailto:ada@example.org\nEND:VEVENT\n"
    }
    text += "END:VCALENDAR\n"
    let file = FileManager.default.temporaryDirectory.appending(path: "epact-answers-\(UUID()).ics")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let zone = try Machine.live().viewerZone("Europe/Berlin")
    let monday = try CivilDate(parsing: "20261123")
    let request = ViewRequest(
      [CalendarLocation(path: file.path())], in: WeekDays.range(from: monday, in: zone),
      viewer: zone)
    let view = try OccurrenceView(request) { _ in }
    var style = ViewStyle(locale: "en_GB", columns: 112)
    style.user = [CalendarAddress("mailto:ada@example.org")]
    var week = try WeekGrid(style)
    let lines = try week.lines(of: WeekDays(view.days(), from: monday)) {
      view.calendar(ofSource: $0)
    }
    let rows = lines.map(\.plain).joined(separator: "\n")
    #expect(["▌✗ Call09", "▌? Call10", "▌Call11"].allSatisfy { rows.contains($0) })
    var occurrences = view.occurrences()
    var month = MonthDays(in: request.range, from: monday, viewer: zone, keeping: 3)
    while let occurrence = occurrences.next() { month.add(occurrence) }
    var grid = try MonthGrid(style)
    let first = try CivilDate(parsing: "20261101")
    let cells = try grid.lines(of: first, month.days).map(\.plain).joined(separator: "\n")
    #expect(["✗ Call09", "? Call10", " Call11"].allSatisfy { cells.contains($0) })
  }

  @Test("The numbers of further events of two days are two cells, and an event of both is one")
  func monthCells() throws {
    var text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//A//B//EN\n"
    for day in ["20261124", "20261125"] {
      for hour in ["09", "10", "11", "12", "13"] {
        text += "BEGIN:VEVENT\nUID:\(day)\(hour)\nDTSTART:\(day)T\(hour)0000\n"
        text += "SUMMARY:Call \(hour)\nEND:VEVENT\n"
      }
    }
    text += "END:VCALENDAR\n"
    let file = FileManager.default.temporaryDirectory.appending(path: "epact-month-\(UUID()).ics")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let zone = try Machine.live().viewerZone("Europe/Berlin")
    let first = try CivilDate(parsing: "20261101")
    let range = MonthDays.range(of: first, in: zone)
    let request = ViewRequest([CalendarLocation(path: file.path())], in: range, viewer: zone)
    let view = try OccurrenceView(request) { _ in }
    var occurrences = view.occurrences()
    var month = MonthDays(in: range, from: first, viewer: zone, keeping: 3)
    while let occurrence = occurrences.next() { month.add(occurrence) }
    var grid = try MonthGrid(ViewStyle(locale: "en_GB", columns: 80))
    let rows = try grid.lines(of: first, month.days).map(\.plain).filter { $0.contains("+") }
    #expect(rows == ["           +3         +3"])
  }

  @Test("A week that fits has its hours in proportion, and overlapping events side by side")
  func week() throws {
    let lines = try lines(columns: 112)
    #expect(
      lines[1]
        == "      Mon 23         Tue 24         Wed 25         Thu 26         Fri 27         Sat 28"
        + "         Sun 29")
    #expect(lines[2] == "                     Fair ━━━━━━━━━━━━━━━━━━━━━━━━")
    #expect(
      lines[3...9] == [
        "08:00", "", "09:00 ▌:15", "      ▌Design", "10:00 ▌review▌Call", "             ▌", "11:00",
      ])
    #expect(lines.count == 3 + 20)
  }

  @Test("In 80 columns, a part of the week is below the other, with the hours of its events")
  func narrowWeek() throws {
    #expect(
      try lines(columns: 80).dropFirst() == [
        "      Mon 23            Tue 24            Wed 25            Thu 26",
        "                        Fair ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "09:00 ▌:15", "      ▌Design", "10:00 ▌review ▌Call", "              ▌", "",
        "      Fri 27            Sat 28            Sun 29",
      ])
  }

  /// The rows of a Tuesday with events, each a title with its times.
  private func tuesday(_ events: [(String, String, String)]) throws -> [String] {
    let parts = events.map { title, start, end in
      "BEGIN:VEVENT\nUID:\(title)\nDTSTART:20261124T\(start)00\nDTEND:20261124T\(end)00\n"
        + "SUMMARY:\(title)\nEND:VEVENT\n"
    }
    return try lines(
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//A//B//EN\n" + parts.joined() + "END:VCALENDAR\n",
      columns: 112)
  }

  @Test("An event that begins in the row in which another one ends has a row of its own")
  func backToBack() throws {
    let lines = try tuesday([
      ("Math", "0900", "0945"), ("English", "0945", "1030"), ("Bio", "1030", "1115"),
      ("Chem", "1115", "1200"), ("Run", "1200", "1215"), ("Tea", "1215", "1230"),
      ("Nap", "1230", "1245"), ("Class", "1245", "1345"),
    ])
    let indent = String(repeating: " ", count: 21)
    let rows = lines.dropFirst(4).prefix(11).map {
      $0.replacing(indent, with: "").replacing(/^[0-9:]{5} */, with: "")
    }
    #expect(
      rows == [
        "▌Math", "▌:45 English", "▌", "▌Bio", "▌:15 Chem", "▌", "▌Run   ▌:15 T…", "▌Nap",
        "▌:45 Class", "▌", "",
      ])
  }

  @Test("Events without room are counted beside the day")
  func counted() throws {
    let six = ["A", "B", "C", "D", "E", "F"].map { ($0, "0900", "1000") }
    let lines = try tuesday(six)
    #expect(lines[1].contains("Tue 24 +2"))
    let short = (0..<6).map { ("S\($0)", "090\($0)", "090\($0 + 1)") }
    let row = try tuesday(short)
    #expect(row[1].contains("Tue 24 +2"))
    #expect(row.joined().filter { $0 == "▌" }.count == 4)
  }

  @Test("What is on consecutive days is in one row")
  func bars() {
    let bars = DayBars([["a", "b"], ["c", "b"], ["b", "d", "e"], ["e"]])
    let rows = bars.rows.map { $0.map { "\($0.content)\($0.first)+\($0.count)" } }
    #expect(rows == [["a0+1", "c1+1", "d2+1"], ["b0+3"], ["e2+2"]])
  }

  @Test("A cut text ends its isolates")
  func isolates() {
    let title = SafeText.escaped("פגישה עם דנה")
    #expect(DisplayWidth.truncated(title, to: 6) == "\u{2068}פגישה…\u{2069}")
    #expect(
      TextWrapping.lines(of: title, width: 5)
        == ["\u{2068}פגישה\u{2069}", "\u{2068}עם\u{2069}", "\u{2068}דנה\u{2069}"])
  }

  @Test("Lines fit in the columns", arguments: [24, 40, 50, 60, 80, 100, 112, 120, 200, 240])
  func widths(columns: Int) throws {
    for line in try lines(columns: columns) {
      #expect(DisplayWidth.of(line) <= columns, "\(line)")
    }
  }

  @Test("The spaces at the end of a text are removed, and its commands are not")
  func trimming() {
    #expect(("a \("b ", .bold)" + "  " as ConsoleText).trimmed.plain == "a b")
    #expect(("   " as ConsoleText).trimmed.plain == "")
    #expect("a".trimmedPlain == "a")
  }

  @Test("A colour becomes the nearest one of a terminal")
  func colors() throws {
    let red = try #require(ConsoleText.Style(hex: "#ff0000"))
    #expect(ConsoleText("x", red).rendered(inColor: true) == "\u{1B}[38;5;196mx\u{1B}[0m")
    #expect(ConsoleText.Style(hex: "red") == nil)
    #expect(ConsoleText.Style(hex: "#12345") == nil)
  }
}

extension String {
  fileprivate var trimmedPlain: String { ConsoleText(self).trimmed.plain }
}
