// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// Files in memory: reading, views, checks, conversions and merges.
struct CalendarFileTests {
  private func file(_ path: String) throws -> CalendarFile {
    try CalendarFile(Fixture(path).bytes, name: path)
  }

  /// A range of days in a time zone.
  private func range(_ from: String, _ to: String, _ zone: ZoneRules) throws -> Range<Instant> {
    try Moment(parsing: from).instant(in: zone)..<Moment(parsing: to).instant(in: zone)
  }

  private func berlin() throws -> ZoneRules { try Machine.live().viewerZone("Europe/Berlin") }

  // MARK: Reading

  @Test(arguments: [
    ("tour/work.ics", FileForm.iCalendar, "Budget review"),
    ("jcal/one-event.json", .jCal, "Planning meeting"),
    ("vcalendar/phone.vcs", .vCalendar, "Geburtstag"),
  ])
  func readsEveryForm(path: String, form: FileForm, summary: String) throws {
    let file = try file(path)
    #expect(file.form == form)
    #expect(file.charset == nil)
    #expect(file.items.contains { $0.title == summary })
    #expect(file.calendars.count == 1)
  }

  @Test(arguments: [
    ("utf-16le", "UTF-16LE", "Größe 会議 😀"), ("utf-16be", "UTF-16BE", "Größe 会議 😀"),
    ("utf-32le", "UTF-32LE", "Größe"), ("utf-32be", "UTF-32BE", "Größe"),
  ])
  func detectsCharsetsByTheirBytes(name: String, charset: String, summary: String) throws {
    let file = try file("encodings/\(name).ics")
    #expect(file.charset?.name == charset)
    #expect(file.items.map(\.title) == [summary])
  }

  @Test func usesTheCharsetOfTheCaller() throws {
    let bytes = try Fixture("encodings/koi8-r.ics").bytes
    let options = ReadingOptions(charset: .named("koi8-r"))
    let file = try CalendarFile(bytes, options: options)
    #expect(file.items.map(\.title) == ["Встреча в кафе"])
    #expect(file.charset?.evidence == nil)
  }

  @Test(arguments: ["", "<!DOCTYPE html>\n<p>no calendar</p>\n"])
  func fileWithoutCalendarIsAnError(text: String) throws {
    let error = #expect(throws: FileError.self) {
      try CalendarFile(Array(text.utf8), name: "page.html")
    }
    #expect(error?.path == "page.html")
    #expect(error?.code == .noCalendar)
  }

  @Test func missingFileIsAnError() throws {
    let error = #expect(throws: FileError.self) { try CalendarFile(contentsOf: "/nowhere.ics") }
    #expect(error?.description == "/nowhere.ics: no such file or directory")
  }

  @Test func damagedFileHasDiagnosticsAndItems() throws {
    let file = try file("tour/damaged.ics")
    #expect(file.diagnostics.contains { $0.position.line == 22 && $0.severity == .error })
    #expect(file.items.map(\.title).contains("Walk"))
  }

  // MARK: Views

  @Test func occurrencesAreInOrder() throws {
    let berlin = try berlin()
    let occurrences = try file("tour/family.ics")
      .occurrences(in: range("2026-03-01", "2026-03-12", berlin), zone: berlin)
    #expect(
      occurrences.map { "\($0.start.rfc3339) \($0.uid)" } == [
        "2026-03-04T16:30:00+01:00 swimming@tour.example",
        "2026-03-07T09:00:00+01:00 market@tour.example",
        "2026-03-11T16:30:00+01:00 swimming@tour.example",
      ])
  }

  @Test func daysHoldTheirEntries() throws {
    let berlin = try berlin()
    let days = try Array(
      file("tour/work.ics").days(in: range("2026-03-11", "2026-03-13", berlin), zone: berlin))
    #expect(days.map(\.date.description) == ["20260311", "20260312"])
    #expect(days.map(\.entries.count) == [2, 1])
    #expect(days.allSatisfy { $0.rest == 0 })
  }

  @Test func alarmsAreInOrder() throws {
    let berlin = try berlin()
    let file = try file("tour/family.ics")
    let alarms = try file.alarms(in: range("2026-03-01", "2026-04-01", berlin), zone: berlin)
    #expect(alarms.map(\.instant.description) == ["20260311T091500Z"])
  }

  @Test func busyTimeHasNoDetails() throws {
    let berlin = try berlin()
    let file = try file("tour/work.ics")
    let busy = try file.freeBusy(in: range("2026-03-11", "2026-03-12", berlin), zone: berlin)
    #expect(
      busy.periods.map { "\($0.interval.lowerBound)" } == ["20260311T083000Z", "20260311T130000Z"])
    let calendar = busy.calendar(stamp: Instant(secondsSinceEpoch: 0))
    #expect(!String(decoding: calendar, as: UTF8.self).contains("Budget"))
  }

  @Test func zonesOfAFileAreExplained() throws {
    let file = FileSource.bytes(try Fixture("tour/family.ics").bytes, label: "family.ics")
    let reports = try file.zoneReports()
    #expect(reports.map(\.zone.name) == ["Europe/Berlin"])
    #expect(reports.allSatisfy { $0.differences.isEmpty })
  }

  // MARK: Checks and conversions

  @Test func checkFindsAndFixRepairs() throws {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n\nEND:VCALENDAR\n"
    let file = try CalendarFile(Array(text.utf8))
    let codes = try file.check().map(\.code)
    #expect(codes.contains(.lineEnd))
    let repair = try file.fixed()
    #expect(repair.isChanged)
    let fixed = try CalendarFile(repair.bytes)
    #expect(try fixed.check().count < codes.count)
    #expect(try !fixed.fixed().isChanged)
  }

  @Test func onlyTextIsRepaired() throws {
    let error = #expect(throws: FileError.self) { try file("jcal/one-event.json").fixed() }
    #expect(error?.code == .otherForm)
    #expect(error?.path == "jcal/one-event.json")
  }

  @Test(arguments: ["tour/work.ics", "tour/family.ics", "vcalendar/people.vcs"])
  func conversionKeepsTheMeaning(path: String) throws {
    let file = try file(path)
    for form in [CalendarForm.iCalendar, .canonical, .jCal] {
      let converted = try CalendarFile(file.bytes(as: form))
      #expect(try converted.changes(from: file).items.isEmpty, "\(form)")
    }
    let rows = try file.bytes(as: .ndjson).count { $0 == UInt8(ascii: "\n") }
    #expect(rows == file.components.count { $0.name != .timeZone })
  }

  @Test func differencesAreByProperty() throws {
    let before = try file("tour/work.ics")
    let text = String(decoding: before.bytes, as: UTF8.self)
      .replacing("SUMMARY:Budget review", with: "SUMMARY:Budget at last")
    let changes = try CalendarFile(Array(text.utf8)).changes(from: before)
    let difference = try #require(changes.items.first)
    #expect(changes.items.count == 1)
    #expect(difference.change == .changed)
    #expect(difference.rows.map(\.subject) == ["SUMMARY"])
  }

  @Test func fileIsWrittenInAnotherForm() throws {
    let folder = try TemporaryFolder()
    let file = try file("tour/work.ics")
    try file.write(to: folder.path(of: "work.json"), as: .jCal)
    #expect(try CalendarFile(contentsOf: folder.path(of: "work.json")).form == .jCal)
  }

  // MARK: Merging

  private func version(_ lines: String...) throws -> CalendarFile {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:a@example.org"]
    let times = ["DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z"]
    let all = head + times + lines + ["END:VEVENT", "END:VCALENDAR", ""]
    return try CalendarFile(Array(all.joined(separator: "\r\n").utf8))
  }

  @Test func differentPropertiesAreMerged() throws {
    let merged = try CalendarFile.merge(
      base: version("SUMMARY:Tea", "LOCATION:Here"),
      local: version("SUMMARY:Cake", "LOCATION:Here"),
      remote: version("SUMMARY:Tea", "LOCATION:There"))
    let item = try #require(CalendarFile(merged.bytes).items.first)
    #expect(merged.isClean)
    #expect(item.title == "Cake")
    #expect(item.main?[.location]?.text == "There")
  }

  @Test func conflictsAreReportedAndPoliciesDecide() throws {
    let (base, local, remote) = (
      try version("SUMMARY:Tea"), try version("SUMMARY:Cake"), try version("SUMMARY:Bread")
    )
    let kept = try CalendarFile.merge(base: base, local: local, remote: remote)
    #expect(!kept.isClean)
    let chosen = try CalendarFile.merge(
      base: base, local: local, remote: remote, policies: .init(.remote))
    #expect(chosen.isClean)
    #expect(try CalendarFile(chosen.bytes).items.map(\.title) == ["Bread"])
  }

  @Test func filesOfOtherFormsAreMerged() throws {
    let base = try version("SUMMARY:Tea")
    let remote = try CalendarFile(version("SUMMARY:Bread").bytes(as: .jCal))
    let merged = try CalendarFile.merge(base: base, local: base, remote: remote)
    #expect(try CalendarFile(merged.bytes).items.map(\.title) == ["Bread"])
  }

  @Test func missingBaseIsNone() throws {
    let folder = try TemporaryFolder()
    let local = try folder.write(version("SUMMARY:Tea").bytes, to: "local.ics")
    let merged = try CalendarFile.merge(
      base: .file(folder.path(of: "base.ics")), local: .file(local), remote: .file(local))
    #expect(merged.isClean)
    #expect(throws: FileError.self) {
      try CalendarFile.merge(
        base: .file(local), local: .file(folder.path(of: "base.ics")), remote: .file(local))
    }
  }
}
