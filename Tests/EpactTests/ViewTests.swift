// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import Foundation
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// Views of several calendars, recurrence rules and time zones.
struct ViewTests {
  private let machine = Machine.live()

  private func request(
    _ inputs: [CalendarLocation], _ from: String, _ to: String
  ) throws -> ViewRequest {
    let berlin = try machine.viewerZone("Europe/Berlin")
    let range =
      try Moment(parsing: from).instant(
        in: berlin)..<Moment(parsing: to).instant(
        in: berlin)
    return ViewRequest(inputs, in: range, viewer: berlin)
  }

  private var tour: CalendarLocation {
    CalendarLocation(path: Fixture.root.appending(path: "tour").path(), name: "tour")
  }

  @Test func viewReadsAllFilesOfAFolder() throws {
    var events: [FileEvent] = []
    let view = try CalendarView(request([tour], "2026-03-02", "2026-03-05"), machine: machine) {
      events.append($0)
    }
    let occurrences = Array(view.occurrences())
    #expect(
      Set(occurrences.map(\.uid.rawValue)) == [
        "rent@tour.example", "standup@tour.example", "swimming@tour.example",
      ])
    #expect(occurrences.allSatisfy { view.calendar(ofSource: $0.source) == "tour" })
    // The damaged file of the tour is reported, and does not hide the others.
    #expect(events.contains { if case .diagnostic = $0 { true } else { false } })
    #expect(view.outcome == .partial)
  }

  @Test func aFileOfAFolderThatIsTooLargeIsNotRead() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      lines: ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "DTSTART:20260302T090000Z"]
        + ["END:VEVENT", "END:VCALENDAR"], to: "a.ics")
    let large = folder.path + "/b.ics"
    _ = FileManager.default.createFile(atPath: large, contents: nil)
    let file = try #require(FileHandle(forWritingAtPath: large))
    try file.truncate(atOffset: 20 << 30)
    var events: [FileEvent] = []
    let view = try OccurrenceView(
      request([CalendarLocation(path: folder.path)], "2026-03-02", "2026-03-05"), machine: machine
    ) { events.append($0) }
    #expect(Array(view.occurrences()).count == 1)
    #expect(view.outcome == .partial)
    #expect(
      events.contains { event in
        if case .unreadable(large, let reason) = event { reason.contains("512 MiB") } else { false }
      })
  }

  @Test func theLastDayOfTheCalendarIsShown() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "DTSTART:99991231T100000",
        "DTEND:99991231T110000", "END:VEVENT", "BEGIN:VEVENT", "UID:b",
        "DTSTART;VALUE=DATE:99991231", "END:VEVENT", "END:VCALENDAR",
      ], to: "a.ics")
    let berlin = try machine.viewerZone("Europe/Berlin")
    let last = try #require(CivilDate(year: 9999, month: 12, day: 31))
    for range in [
      WeekDays.range(from: last, in: berlin), MonthDays.range(of: last, in: berlin),
    ] {
      let view = try OccurrenceView(
        ViewRequest([CalendarLocation(path: folder.path)], in: range, viewer: berlin),
        machine: machine
      ) { _ in }
      var days = view.days()
      let first = days.next()
      let day = try #require(first)
      #expect(day.date == last)
      #expect(day.entries.map(\.occurrence.uid.rawValue) == ["b", "a"])
      let rest = days.next()
      #expect(rest == nil)
    }
  }

  @Test func theErrorsOfAFileAreCountedBeyondALimit() throws {
    let folder = try TemporaryFolder()
    let bad = (1...5).map { "BAD LINE \($0)" }
    for name in ["a", "b"] {
      try folder.write(
        lines: ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:\(name)", "DTSTART:20260302T090000Z"] + bad
          + ["END:VEVENT", "END:VCALENDAR"], to: "\(name).ics")
    }
    var request = try request([CalendarLocation(path: folder.path)], "2026-03-02", "2026-03-05")
    func events() throws -> (errors: Int, more: [Int], outcome: FileOutcome) {
      var (errors, more) = (0, [Int]())
      let view = try OccurrenceView(request, machine: machine) { event in
        if case .diagnostic = event { errors += 1 }
        if case .moreDiagnostics(_, let count) = event { more.append(count) }
      }
      #expect(Array(view.occurrences()).count == 2)
      return (errors, more, view.outcome)
    }
    let all = try events()
    #expect(all.errors == 10 && all.more.isEmpty)
    request.diagnosticLimit = 1
    let few = try events()
    #expect(few.errors == 2 && few.more == [4, 4])
    #expect(few.outcome == all.outcome)
  }

  @Test func missingFileMakesAViewPartial() throws {
    var events: [FileEvent] = []
    let inputs = [tour, CalendarLocation(path: "/nowhere.ics")]
    let view = try OccurrenceView(request(inputs, "2026-03-02", "2026-03-05")) {
      events.append($0)
    }
    #expect(view.outcome == .partial)
    #expect(
      events.contains(.unreadable(path: "/nowhere.ics", reason: "no such file or directory")))
    let nothing = try OccurrenceView(request([inputs[1]], "2026-03-02", "2026-03-05")) { _ in }
    #expect(nothing.outcome == .nothing)
  }

  /// A pipe can be read once, and is read again if too much of it was skipped.
  @Test func pipeHasTheOccurrencesOfAFile() throws {
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//A//B//EN\r\n"
    func add(_ lines: String...) {
      let component = ["BEGIN:VEVENT", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT"]
      text += component.map { "\($0)\r\n" }.joined()
    }
    // The series is over, and one of its occurrences was moved into the range.
    add("UID:moved", "DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Series")
    for number in 0..<3000 {
      add("UID:\(number)", "DTSTART:2026\(number % 12 < 9 ? "0" : "")\(number % 12 + 1)03T090000Z")
    }
    add("UID:moved", "RECURRENCE-ID:20260102T090000Z", "DTSTART:20260303T100000Z")
    text += "END:VCALENDAR\r\n"
    let folder = try TemporaryFolder()
    let file = try folder.write(text.utf8, to: "file.ics")
    let pipe = folder.path(of: "pipe.ics")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let writer = Thread { [text] in
      try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: Data(text.utf8))
    }
    writer.start()
    let range = ("2026-03-02", "2026-03-05")
    let expected = try CalendarView(
      request([CalendarLocation(path: file)], range.0, range.1), machine: machine
    ) { Issue.record("\($0)") }
    let view = try CalendarView(
      request([CalendarLocation(path: pipe)], range.0, range.1), machine: machine
    ) { Issue.record("\($0)") }
    #expect(Array(view.occurrences()) == Array(expected.occurrences()))
    #expect(Array(view.occurrences()).count == 251)
    #expect(view.outcome == .complete)
  }

  @Test func skippedComponentsDoNotChangeTheLines() throws {
    let folder = try TemporaryFolder()
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
    for day in ["20200101", "20260303"] {
      lines += [
        "BEGIN:VEVENT", "UID:\(day)@example.org", "DTSTAMP:20260101T000000Z",
        "DTSTART;VALUE=DATE:\(day)", "SUMMARY:\(day)", "broken line", "END:VEVENT",
      ]
    }
    try folder.write(lines: lines + ["END:VCALENDAR"], to: "long.ics")
    var reported: [Int] = []
    let input = CalendarLocation(path: folder.path(of: "long.ics"))
    let view = try OccurrenceView(request([input], "2026-03-02", "2026-03-05")) { event in
      if case .diagnostic(_, let diagnostic) = event { reported.append(diagnostic.position.line) }
    }
    #expect(view.occurrences().map(\.uid.rawValue) == ["20260303@example.org"])
    #expect(reported.contains(16))
  }

  @Test func daysAndMonthsCountTheirOccurrences() throws {
    var request = try request([tour], "2026-03-01", "2026-04-01")
    request.reminders = .due
    let view = try OccurrenceView(request) { _ in }
    let days = Array(view.days())
    #expect(days.first?.date.description == "20260302")
    let first = try CivilDate(parsing: "20260301")
    #expect(MonthDays.range(of: first, in: request.viewer) == request.range)
    var month = MonthDays(in: request.range, from: first, viewer: request.viewer)
    for occurrence in view.occurrences() { month.add(occurrence) }
    #expect(month.days.keys.sorted() == days.map(\.date))
    for day in days { #expect(month.days[day.date]?.count == day.entries.count + day.rest) }
    #expect(month.days.values.allSatisfy { $0.first.count <= 3 })
  }

  @Test func alarmsEndAtTheLimit() throws {
    let request = try request([tour], "2026-03-01", "2026-04-01")
    let all = try AlarmView(alarmsOf: request) { _ in }
    let one = try AlarmView(alarmsOf: request, limit: 1) { _ in }
    #expect(all.alarms.count > 1 && !all.isCut)
    #expect(one.alarms == Array(all.alarms.prefix(1)))
  }

  @Test func busyTimeOfAllCalendars() throws {
    var view = try OccurrenceView(request([tour], "2026-03-11", "2026-03-12")) { _ in }
    let busy = try view.freeBusy { _ in }
    #expect(!busy.periods.isEmpty)
    #expect(busy.periods.allSatisfy { $0.kind != .free })
  }

  @Test func busyTimeOfTooManyEventsIsRefused() throws {
    let file = try TemporaryFolder()
    func busy(_ rule: String) throws -> FreeBusy {
      let path = try file.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:a",
          "DTSTAMP:20260101T000000Z", "DTSTART:20260101T000000Z", "DURATION:PT1S", "RRULE:\(rule)",
          "END:VEVENT", "END:VCALENDAR",
        ], to: "a.ics")
      let location = CalendarLocation(path: path, name: "x")
      var view = try OccurrenceView(request([location], "2026-01-01", "2026-04-11")) { _ in }
      return try view.freeBusy { _ in }
    }
    // A day of seconds is one period.
    #expect(try busy("FREQ=SECONDLY;COUNT=86400").periods.count == 1)
    let error = #expect(throws: EpactError.self) { try busy("FREQ=SECONDLY") }
    #expect(error?.message == "there are more than 250,000 events; ask for a shorter time")
  }

  // MARK: Rules and zones

  @Test func ruleIsExpandedAndExplained() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR")
    var expansion = try RuleExpansion(of: rule, from: Moment(parsing: "20261127T090000"))
    #expect(expansion.isEndless)
    try expansion.begin(at: Moment(parsing: "20270101"))
    try expansion.end(at: Moment(parsing: "20270331"))
    #expect(
      try expansion.instances().map { expansion.text(of: $0.local) }
        == ["20270129T090000", "20270226T090000", "20270326T090000"])
    let verdict = try expansion.explanation().verdict(on: CivilDate(parsing: "20261218"))
    #expect(!verdict.isInstance && !verdict.reasons.isEmpty)
    #expect(throws: EpactError.self) { try expansion.end(at: Moment(parsing: "20270331T000000Z")) }
  }

  @Test func zoneHasNextChanges() throws {
    let instant = try Moment(parsing: "20260701T120000Z").instant(in: machine.viewerZone("UTC"))
    let zone = machine.zoneResolver.resolve("W. Europe Standard Time")
    let information = try machine.zone(zone, at: instant)
    #expect(zone.canonicalName == "Europe/Berlin")
    #expect(information.type.abbreviation == "CEST")
    #expect(information.nextChanges(1).map(\.instant.description) == ["20261025T010000Z"])
    #expect(machine.zoneNames.zones.contains("Europe/Berlin"))
    #expect(machine.similarZoneName(to: "Europe/Berlim") == "Europe/Berlin")
  }
}
