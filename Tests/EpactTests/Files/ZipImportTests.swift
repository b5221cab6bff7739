// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Imports of archives, which do what imports of the files in them do.
struct ZipImportTests {
  private let folder: TemporaryFolder
  private var machine = Machine.live()

  init() throws {
    folder = try TemporaryFolder()
    machine.environment["XDG_STATE_HOME"] = folder.path(of: "state")
  }

  private func event(_ uid: String, _ more: [String] = []) -> [String] {
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"] + component(uid, more)
      + ["END:VCALENDAR"]
  }

  private func component(_ uid: String, _ more: [String] = []) -> [String] {
    [
      "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20261101T000000Z", "DTSTART:20261124T090000Z",
      "SUMMARY:\(uid)",
    ] + more + ["END:VEVENT"]
  }

  private func run(
    _ path: String, into calendar: String = "home", isDryRun: Bool = false
  ) async throws -> (summary: ImportSummary, files: [FileEvent]) {
    var files: [FileEvent] = []
    let request = ImportRequest(
      [path], into: CalendarLocation(path: folder.path(of: calendar)), isDryRun: isDryRun)
    let summary = try await CalendarImport.run(request, machine: machine) { event in
      if case .file(let file) = event { files.append(file) }
    }
    return (summary, files)
  }

  /// The messages of files that cannot be read, without the path of the folder.
  private func reasons(_ files: [FileEvent]) -> [String] {
    files.compactMap { event in
      guard case .unreadable(let path, let reason) = event else { return nil }
      return "\(path.replacing("\(folder.path)/", with: "")): \(reason)"
    }
  }

  @Test func theCalendarsOfATakeoutAreImported() async throws {
    let path = Fixture.root.appending(path: "archives/takeout.zip").path()
    let dry = try await run(path, isDryRun: true)
    #expect(dry.summary[.added] == 3)
    #expect(!(try folder.names().contains("home")))
    let first = try await run(path)
    #expect((first.summary[.added], first.summary.calendarCount) == (3, 2))
    #expect(first.summary.outcome == .complete)
    #expect(first.files == [.otherEntries(path: path, count: 1)])
    let second = try await run(path)
    #expect((second.summary[.added], second.summary[.unchanged]) == (0, 3))
    // One calendar of the archive goes into a calendar of its own.
    let one = try await run(path + "/Takeout/Calendar/Büro.ics", into: "office")
    #expect((one.summary[.added], one.files.isEmpty) == (1, true))
    let missing = try await run(path + "/Takeout/Calendar/Work.ics", into: "office")
    #expect(missing.summary.outcome == .nothing)
    #expect(
      missing.files == [
        .unreadable(path: path, reason: "the archive has no entry \"Takeout/Calendar/Work.ics\"")
      ])
  }

  @Test func anArchiveIsImportedAsTheFilesInIt() async throws {
    try folder.makeFolder("files")
    // An older version of an item, a part of another file's series, and a component without a UID.
    let files = [
      "a.ics": event("one", ["SEQUENCE:2"]), "b.ics": event("one", ["SEQUENCE:1"]),
      "c.ics": event("series", ["RRULE:FREQ=DAILY;COUNT=3"]),
      "d.ics": event("series", ["RECURRENCE-ID:20261125T090000Z"]),
      "e.ics": ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "DTSTART:x", "END:VEVENT", "END:VCALENDAR"],
      "f.txt": ["no calendar"],
    ]
    for (name, lines) in files { try folder.write(lines: lines, to: "files/\(name)") }
    let entries = files.sorted { $0.key < $1.key }.enumerated().map { number, file in
      BuiltEntry(file.key, lines: file.value, method: number % 2 == 0 ? 0 : 8)
    }
    // The order of the entries has no effect.
    let path = try folder.write(ZipBuilder(entries.reversed()).bytes, to: "all.zip")
    let plain = try await run(folder.path(of: "files"), into: "plain")
    let packed = try await run(path, into: "packed")
    for outcome in ImportOutcome.allCases {
      #expect(plain.summary[outcome] == packed.summary[outcome])
    }
    #expect(try folder.contents(of: "plain") == folder.contents(of: "packed"))
    func diagnostics(_ events: [FileEvent], in place: String) -> [String] {
      events.compactMap { event in
        guard case .diagnostic(let path, let diagnostic) = event else { return nil }
        return "\(path.replacing(place, with: "")):\(diagnostic.position): \(diagnostic.message)"
      }
    }
    let expected = diagnostics(plain.files, in: folder.path(of: "files"))
    #expect(!expected.isEmpty && expected.allSatisfy { $0.hasPrefix("/e.ics:") })
    #expect(diagnostics(packed.files, in: path) == expected)
  }

  /// A fault of an entry, and the beginning of its message.
  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let message: String
    let change: @Sendable (inout BuiltEntry) -> Void

    init(
      _ name: String, _ message: String, _ change: @escaping @Sendable (inout BuiltEntry) -> Void
    ) {
      (testDescription, self.message, self.change) = (name, message, change)
    }
  }

  static let faults = [
    Fault("encrypted", "the entry is encrypted") { $0.flags = 1 },
    Fault("strongly encrypted", "the entry is encrypted") { $0.flags = 0x41 },
    Fault("AES", "the entry is encrypted") { $0.method = 99 },
    Fault("bzip2", "the entry is compressed with method 12 (bzip2)") { $0.method = 12 },
    Fault("unknown method", "the entry is compressed with method 77; only") { $0.method = 77 },
    Fault("checksum", "the entry is damaged: its checksum does not match") { $0.checksum = 1 },
    Fault("more than stated", "the entry is damaged: it has more than the 10 bytes") {
      ($0.method, $0.size) = (8, 10)
    },
    Fault("less than stated", "the entry is damaged: expected 9999 bytes") {
      ($0.method, $0.size) = (8, 9999)
    },
    Fault("two sizes", "the entry states two sizes") { $0.size = 10 },
    Fault("no DEFLATE", "the entry is damaged: its contents are not compressed with DEFLATE") {
      ($0.method, $0.stored) = (8, [0xFF, 0xFF, 0xFF])
    },
    Fault("cut", "the entry is damaged: its compressed contents are incomplete") {
      ($0.method, $0.stored) = (8, Array(BuiltEntry.deflated($0.contents).dropLast(4)))
    },
    Fault("more after the end", "the entry is damaged: its compressed contents end too early") {
      ($0.method, $0.stored) = (8, BuiltEntry.deflated($0.contents) + [1, 2, 3])
    },
    Fault("nothing", "the entry is damaged: its compressed contents are incomplete") {
      ($0.method, $0.stored) = (8, [])
    },
    Fault("another local name", "the entry is not where the directory") {
      $0.localName = Array("x.ics".utf8)
    },
    Fault("another local name of the same length", "the entry is not where the directory") {
      $0.localName = Array("Calendar/cad.ics".utf8)
    },
    Fault("expands a lot", "the entry expands to more than 200 times") {
      ($0.method, $0.size) = (8, 900 << 20)
    },
    Fault("expands a little too much", "the entry expands to more than 200 times") {
      ($0.method, $0.size) = (8, 17 << 20)
      $0.stored = [UInt8](repeating: 0xFF, count: (17 << 20) / 200 - 1)
    },
    Fault("expands up to the limit", "the entry is damaged: its contents are not compressed") {
      ($0.method, $0.size) = (8, 17 << 20)
      $0.stored = [UInt8](repeating: 0xFF, count: (17 << 20) / 200)
    },
    Fault("too large", "the entry is larger than 1 GiB") { ($0.method, $0.size) = (8, 2 << 30) },
  ]

  @Test(arguments: faults)
  func aFaultOfAnEntryIsNamedAndHidesNoOther(fault: Fault) async throws {
    var bad = BuiltEntry("Calendar/bad.ics", lines: event("bad"))
    fault.change(&bad)
    let good = [
      BuiltEntry("Calendar/a.ics", lines: event("a")),
      BuiltEntry("Calendar/z.ics", lines: event("z"), method: 8),
    ]
    let path = try folder.write(ZipBuilder([good[0], bad, good[1]]).bytes, to: "x.zip")
    let (summary, files) = try await run(path)
    #expect(summary[.added] == 2)
    #expect(summary.outcome == .partial)
    let reasons = reasons(files)
    #expect(reasons.count == 1)
    #expect(
      reasons.first?.hasPrefix("x.zip/Calendar/bad.ics: \(fault.message)") == true, "\(reasons)")
    // Nothing of a damaged entry is used, not even its beginning.
    #expect(!(try folder.contents(of: "home").keys.contains { $0.contains("bad") }))
  }

  @Test func twoEntriesWithOneNameAreNotRead() async throws {
    let entries = ["one", "two", "three"].map { uid in
      BuiltEntry(uid == "three" ? "b.ics" : "a.ics", lines: event(uid))
    }
    let path = try folder.write(ZipBuilder(entries).bytes, to: "x.zip")
    let (summary, files) = try await run(path)
    #expect(summary[.added] == 1)
    #expect(
      reasons(files) == [
        "x.zip/a.ics: the archive has 2 entries with this name; none of them is read"
      ])
  }

  @Test func anArchiveWithoutCalendarsIsReported() async throws {
    let path = try folder.write(
      ZipBuilder([BuiltEntry("photo.jpg", [1, 2, 3])]).bytes, to: "x.zip")
    let (summary, files) = try await run(path)
    #expect(summary.outcome == .nothing)
    #expect(reasons(files) == ["x.zip: the archive contains no calendar file"])
    let empty = try folder.write(ZipBuilder([]).bytes, to: "empty.zip")
    #expect(
      reasons(try await run(empty).files) == ["empty.zip: the archive contains no calendar file"])
  }

  @Test func namesNeverBecomePaths() async throws {
    let names = [
      "../../evil.ics", "/tmp/epact-absolute.ics", "a/../b.ics", "./c.ics", "C:\\d.ics",
      "e\u{1B}[31m\n.ics", "folder/.hidden.ics", "__MACOSX/._f.ics", "folder/", "link.ics",
    ]
    let entries = names.enumerated().map { number, name in
      var entry = BuiltEntry(name, lines: name.hasSuffix("/") ? [] : event("item\(number)"))
      if name == "link.ics" { entry.mode = 0o120777 }
      return entry
    }
    try folder.makeFolder("deep/er")
    let path = try folder.write(ZipBuilder(entries).bytes, to: "deep/er/x.zip")
    let before = try folder.names()
    let (summary, files) = try await run(path)
    #expect(summary[.added] == 6)
    #expect(files == [.otherEntries(path: path, count: 1)])
    #expect(Set(try folder.names()) == Set(before + ["home", "state"]))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/epact-absolute.ics"))
  }

  @Test func aFolderOfMacOSIsImportedByItsFiles() async throws {
    try folder.makeFolder("Backup.icbu/1A2B.calendar/Events")
    try folder.write("<plist/>".utf8, to: "Backup.icbu/1A2B.calendar/Info.plist")
    try folder.write(lines: event("one"), to: "Backup.icbu/1A2B.calendar/Events/one.ics")
    #expect(try await run(folder.path(of: "Backup.icbu")).summary[.added] == 1)
    // Newer systems keep the items in a database.
    try folder.makeFolder("New.icbu")
    try folder.write("SQLite format 3\0".utf8, to: "New.icbu/Calendar.sqlitedb")
    let (summary, files) = try await run(folder.path(of: "New.icbu"))
    #expect(summary.outcome == .nothing)
    let reason = try #require(reasons(files).first)
    #expect(reason.hasPrefix("New.icbu: the folder contains a database of macOS"))
    #expect(reason.contains("File > Export"))
  }

  @Test func anArchiveIsViewedAndConvertedAlike() async throws {
    let path = Fixture.root.appending(path: "archives/takeout.zip").path()
    let zone = try machine.viewerZone("UTC")
    let range =
      try Moment(parsing: "2026-11-01").instant(
        in: zone)..<Moment(parsing: "2026-12-01").instant(
        in: zone)
    let view = try OccurrenceView(
      ViewRequest([CalendarLocation(path: path)], in: range, viewer: zone), machine: machine
    ) { _ in }
    #expect(view.outcome == .complete)
    #expect(Array(view.occurrences()).count == 3)
    var output: [UInt8] = []
    var conversion = FileConversion(to: .csv(isSafe: false)) { _ in }
    let sources = FileSource.find([path]) { _ in }
    try await conversion.convert(sources, cores: 2) { output += $0 }
    #expect(conversion.componentCount == 3)
    #expect(conversion.outcome == .complete)
  }
}

extension TemporaryFolder {
  /// The bytes of the files in a folder, by name.
  func contents(of folder: String) throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path(of: folder))
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasPrefix(".") }.map {
        ($0, try bytes(of: "\(folder)/\($0)"))
      })
  }
}
