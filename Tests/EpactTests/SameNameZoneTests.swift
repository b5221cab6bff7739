// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// Calendars that define one TZID differently, on every way into one file and back.
///
/// The definition of a TZID is that of its own VCALENDAR (RFC 5545 §3.2.19, §3.6.5).
struct SameNameZoneTests {
  /// What a user sees of an occurrence.
  struct Seen: Hashable, Comparable, CustomStringConvertible {
    let uid: String
    let title: String
    let start: String
    let end: String
    var description: String { "\(uid) \(title) \(start) \(end)" }
    static func < (left: Seen, right: Seen) -> Bool { left.description < right.description }
  }

  private let folder: TemporaryFolder
  private var machine = Machine.live()
  private let parts = ["same-name-india", "same-name-pacific", "same-name-again"]

  init() throws {
    folder = try TemporaryFolder()
    machine.environment["XDG_STATE_HOME"] = folder.path(of: "state")
    machine.now = { Instant(secondsSinceEpoch: 1_767_225_600) }
  }

  private func fixture(_ name: String) -> String {
    Fixture.root.appending(path: "timezones/\(name).ics").path()
  }

  private func request(_ paths: [String]) throws -> ViewRequest {
    let utc = try machine.viewerZone("UTC")
    let start = Instant(secondsSinceEpoch: 1_767_225_600)
    let end = Instant(secondsSinceEpoch: 1_798_761_600 + 86_400 * 2)
    return ViewRequest(paths.map { CalendarLocation(path: $0) }, in: start..<end, viewer: utc)
  }

  private func seen(_ paths: String...) throws -> [Seen] { try seen(paths) }

  private func seen(_ paths: [String]) throws -> [Seen] {
    let view = try OccurrenceView(try request(paths), machine: machine) { _ in }
    return view.occurrences().map { occurrence in
      Seen(
        uid: occurrence.uid.rawValue, title: occurrence.component[.summary]?.text ?? "",
        start: occurrence.start.instant.description, end: occurrence.end.instant.description)
    }.sorted()
  }

  /// The occurrences of the three files, written down from their definitions.
  private static let expected: [Seen] = {
    func seen(_ uid: String, _ title: String, _ start: String, _ end: String) -> Seen {
      Seen(
        uid: uid + "@zones.example", title: title, start: "2026\(start)00Z", end: "2026\(end)00Z")
    }
    return [
      seen("india", "India noon", "0706T0630", "0706T0730"),
      seen("india", "India noon later", "0720T0930", "0720T1030"),
      seen("india", "India noon", "0727T0630", "0727T0730"),
      seen("india", "India noon", "1231T0630", "1231T0730"),
      seen("india-todo", "India report", "1001T1130", "1001T1130"),
      seen("pacific", "Pacific noon", "0706T1900", "0706T2000"),
      seen("pacific", "Pacific noon later", "0720T2200", "0720T2300"),
      seen("pacific", "Pacific noon", "0727T1900", "0727T2000"),
      seen("pacific", "Pacific noon", "1231T2000", "1231T2100"),
      seen("pacific-todo", "Pacific report", "1002T0000", "1002T0000"),
      seen("again", "India again", "1001T1130", "1001T1130"),
    ].sorted()
  }()

  private func definitions(in path: String) throws -> [String] {
    try CalendarFile(contentsOf: path, machine: machine).components
      .filter { $0.name == .timeZone }.compactMap { $0[.tzID]?.text }.sorted()
  }

  /// A file with all items, in one calendar: each time is what it was, and equal definitions share a
  /// name.
  private func expectAll(in path: String) async throws {
    #expect(try seen(path) == Self.expected)
    #expect(try definitions(in: path) == ["Customized Time Zone", "Customized Time Zone 2"])
    // A second import of the same items changes nothing.
    let again = try await CalendarImport.run(
      ImportRequest(parts.map(fixture), into: CalendarLocation(path: path)), machine: machine
    ) { _ in }
    #expect(again[.updated] == 0 && again[.added] == 0)
    // And back, one file an item.
    let back = folder.path(of: "back")
    _ = try await CalendarImport.run(
      ImportRequest([path], into: CalendarLocation(path: back)), machine: machine
    ) { _ in }
    #expect(try seen(back) == Self.expected)
  }

  @Test func theFixturesMeanWhatTheyShould() throws {
    #expect(try seen(parts.map(fixture)) == Self.expected)
  }

  @Test func anImportIntoAFileKeepsEveryInstant() async throws {
    let one = folder.path(of: "one.ics")
    for part in parts {
      _ = try await CalendarImport.run(
        ImportRequest([fixture(part)], into: CalendarLocation(path: one)), machine: machine
      ) { _ in }
    }
    try await expectAll(in: one)
  }

  @Test func anImportOfAFileWithSeveralCalendarsKeepsEveryInstant() async throws {
    let one = folder.path(of: "one.ics")
    _ = try await CalendarImport.run(
      ImportRequest(
        [fixture("same-name-several-calendars")], into: CalendarLocation(path: one)),
      machine: machine
    ) { _ in }
    try await expectAll(in: one)
  }

  @Test func itemsThatAreStoredInAFileKeepEveryInstant() async throws {
    let one = folder.path(of: "one.ics")
    let file = try FileCalendar(path: one, for: .creating)
    for part in parts {
      for item in try CalendarFile(contentsOf: fixture(part), machine: machine).items {
        let outcomes = try await file.apply([.create(item.normalized(by: machine.normalForm))])
        guard case .done(_, .some(let revision))? = outcomes.first else {
          Issue.record("\(outcomes)")
          continue
        }
        // The stored item has the meaning of the original one, and is written back as it is.
        let entries = try await file.scan().entries
        let stored = try #require(entries.first { $0.item.uid == item.uid }?.item)
        #expect(
          stored.normalized(by: machine.normalForm).fingerprint
            == item.normalized(by: machine.normalForm).fingerprint)
        let before = try folder.bytes(of: "one.ics")
        _ = try await file.apply([.update(name: item.uid.rawValue, from: revision, to: item)])
        #expect(try folder.bytes(of: "one.ics") == before)
      }
    }
    try await expectAll(in: one)
  }

  @Test func aMergeKeepsEveryInstant() async throws {
    let files = try parts.map { try CalendarFile(contentsOf: fixture($0), machine: machine) }
    let first = try CalendarFile.merge(base: nil, local: files[0], remote: files[1])
    let middle = try CalendarFile(first.bytes, machine: machine)
    let second = try CalendarFile.merge(base: nil, local: middle, remote: files[2])
    #expect(first.isClean && second.isClean)
    try folder.write(second.bytes, to: "one.ics")
    try await expectAll(in: folder.path(of: "one.ics"))
  }

  @Test func anExportKeepsEveryInstantAndReportsNewNames() async throws {
    let calendar = CalendarLocation(path: folder.path(of: "home"))
    _ = try await CalendarImport.run(
      ImportRequest(parts.map(fixture), into: calendar), machine: machine
    ) { _ in }
    let writing = try await CalendarWriting(of: calendar, machine: machine)
    let diagnostics = try writing.write(to: folder.path(of: "one.ics"))
    #expect(!diagnostics.isEmpty && diagnostics.allSatisfy { $0.code == .timeZoneConflict })
    try await expectAll(in: folder.path(of: "one.ics"))
  }

  @Test(arguments: [CalendarForm.iCalendar, .canonical, .jCal])
  func aConversionKeepsEveryCalendarApart(form: CalendarForm) throws {
    for paths in [parts.map(fixture), [fixture("same-name-several-calendars")]] {
      var output: [UInt8] = []
      var conversion = FileConversion(to: form) { _ in }
      for path in paths { try conversion.add(FileSource(path: path)) { output += $0 } }
      try conversion.finish { output += $0 }
      let name = form == .jCal ? "all.json" : "all.ics"
      try folder.write(output, to: name)
      #expect(try seen(folder.path(of: name)) == Self.expected)
    }
  }

  @Test(arguments: [CalendarForm.ndjson, .csv(isSafe: true)])
  func aTableHasAnotherNameForAnotherDefinition(form: CalendarForm) throws {
    for paths in [parts.map(fixture), [fixture("same-name-several-calendars")]] {
      var output: [UInt8] = []
      var conversion = FileConversion(to: form) { _ in }
      for path in paths { try conversion.add(FileSource(path: path)) { output += $0 } }
      try conversion.finish { output += $0 }
      let rows = String(decoding: output, as: UTF8.self).split(separator: "\n")
      for row in rows where row.contains("zones.example") {
        #expect(row.contains("Customized Time Zone"))
        #expect(row.contains("Customized Time Zone 2") == row.contains("Pacific"), "\(row)")
      }
    }
  }

  @Test func everyViewOfSeveralCalendarsInAFileResolvesEachByItsOwn() throws {
    let path = fixture("same-name-several-calendars")
    #expect(try seen(path) == Self.expected)
    let file = try CalendarFile(contentsOf: path, machine: machine)
    let request = try request([path])
    let starts = Set(Self.expected.map { "\($0.uid) \($0.start)" })
    let found = file.occurrences(in: request.range, zone: request.viewer)
    #expect(Set(found.map { "\($0.uid.rawValue) \($0.start.instant)" }) == starts)
    let busy = try file.freeBusy(in: request.range, zone: request.viewer)
    let events = Self.expected.filter {
      !$0.title.contains("report") && !$0.title.contains("again")
    }
    #expect(
      Set(busy.periods.map { "\($0.interval.lowerBound)" }) == Set(events.map(\.start)))
    var requestOfAlarms = request
    requestOfAlarms.inputs = [CalendarLocation(path: path)]
    let alarms = try AlarmView(alarmsOf: requestOfAlarms, machine: machine) { _ in }.alarms
    let plain = events.filter { !$0.title.hasSuffix("later") }
    #expect(alarms.count == plain.count)
    #expect(
      Set(alarms.compactMap { $0.instant.adding(seconds: 600)?.description })
        == Set(plain.map(\.start)))
  }
}
