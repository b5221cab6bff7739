// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The programs of the documentation, compiled and run as they are printed.
@Suite("Programs of the documentation")
struct ProgramArticleTests {
  private struct Program: Sendable {
    let title: String
    let code: String
    let output: String
  }

  private static let root = Fixture.root.deletingLastPathComponent()
  /// The folder with the modules and the objects of this build.
  private static let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The libraries and the packages that a program may use.
  private static let targets = [
    "CivilTime", "Recurrence", "ICalSyntax", "CalendarModel", "EpactFoundation", "ICUServices",
    "CalendarFiles", "CalendarSync", "CalendarStore", "CalendarRemotes", "Epact", "CoreLocation",
    "OpenEventKit", "EventKit", "GRDB", "Logging", "TOMLKit", "CTOML", "CCurl", "CFiles", "CICU",
    "CInflate", "CNames", "CXMLReader",
  ]

  private static func programs() throws -> [Program] {
    let article = try String(
      contentsOf: root.appending(path: "Sources/Epact/Epact.docc/Programs.md"), encoding: .utf8)
    return article.components(separatedBy: "\n## ").dropFirst().map { section in
      func block(_ language: String) -> String {
        let parts = section.components(separatedBy: "```\(language)\n")
        return parts.count < 2 ? "" : parts[1].components(separatedBy: "```")[0]
      }
      return Program(
        title: section.components(separatedBy: "\n")[0], code: block("swift"),
        output: block("text"))
    }
  }

  @Test("Each of ten programs or more has at most 20 lines, and its imports")
  func lengths() throws {
    let programs = try Self.programs()
    #expect(programs.count >= 10)
    for program in programs {
      #expect(program.code.split(separator: "\n").count <= 20, "\(program.title)")
      #expect(program.code.hasPrefix("import "), "\(program.title)")
    }
  }

  @Test("Each program is compiled, and prints what the article says", .timeLimit(.minutes(10)))
  func run() throws {
    let folder = try TemporaryFolder()
    let options = try Self.options(in: folder)
    for program in try Self.programs() {
      try folder.write(program.code.utf8, to: "main.swift")
      var compiler = TestProgram([
        "swiftc", "-swift-version", "6", folder.path(of: "main.swift"), "@\(options)", "-o",
        folder.path(of: "program"),
      ])
      compiler.output = .null
      guard try compiler.run() == 0 else {
        Issue.record("\(program.title) does not compile")
        continue
      }
      try Self.prepare(folder)
      let command = "cd \(folder.path) && exec env HOME=\(folder.path) ./program </dev/null || true"
      let output = try TestProgram(["sh", "-c", command]).outputBytes()
      #expect(String(decoding: output, as: UTF8.self) == program.output, "\(program.title)")
    }
  }

  /// The options of the compiler, in a file.
  private static func options(in folder: TemporaryFolder) throws -> String {
    func files(_ path: URL, _ suffix: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path.path)
        .filter { $0.hasSuffix(suffix) }.map { path.appending(path: $0).path }
    }
    var maps = try files(root.appending(path: ".build/checkouts/GRDB.swift/Sources"), "modulemap")
      .filter { $0.contains("/GRDBSQLite/") }
    var objects: [String] = []
    for target in targets {
      let place = build.appending(path: "\(target).build")
      let sources = root.appending(path: "Sources/\(target)")
      // By the names of the sources, because objects of renamed files stay in the folder.
      let isOwn = FileManager.default.fileExists(atPath: sources.path)
      objects +=
        isOwn
        ? try (files(sources, ".swift") + files(sources, ".c")).map { path in
          place.appending(path: URL(filePath: path).lastPathComponent + ".o").path
        } : try files(place, ".o")
      maps += try files(place, "module.modulemap")
    }
    for name in try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources").path) where name.hasPrefix("System")
    {
      maps.append(root.appending(path: "Sources/\(name)/module.modulemap").path)
    }
    let libraries = [
      "-lstdc++", "-licui18n", "-licuuc", "-lxml2", "-lpsl", "-lz", "-ldl", "-lresolv", "-lsqlite3",
      "-use-ld=lld",
    ]
    let lines =
      ["-I", build.appending(path: "Modules").path, "-I/usr/include/libxml2"]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + objects + libraries
    return try folder.write(lines.joined(separator: "\n").utf8, to: "options")
  }

  /// Writes the files that the programs read.
  private static func prepare(_ folder: TemporaryFolder) throws {
    for name in ["work.ics", "damaged.ics"] {
      try folder.write(Fixture("tour/\(name)").bytes, to: name)
    }
    let family = String(decoding: try Fixture("tour/family.ics").bytes, as: UTF8.self)
    for (name, title) in [
      ("base", "Dentist"), ("mine", "Dentist, with Oma"), ("theirs", "Dentist (moved)"),
    ] {
      let version = family.replacing("SUMMARY:Dentist", with: "SUMMARY:\(title)")
      try folder.write(version.utf8, to: "\(name).ics")
    }
    let lunch = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT",
      "UID:lunch@example.org", "DTSTAMP:20261124T080000Z",
      "DTSTART;TZID=Europe/Berlin:20261130T123000", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10",
      "SUMMARY:Lunch", "END:VEVENT", "END:VCALENDAR",
    ]
    try folder.write(lines: lunch, to: "lunch.ics")
    let event = lunch[3...9].map { $0 + "\r\n" }.joined()
    let large =
      "BEGIN:VCALENDAR\r\n" + String(repeating: event, count: 20_000) + "END:VCALENDAR\r\n"
    try folder.write(large.utf8, to: "large.ics")
    for name in ["local", "disk"] { try folder.makeFolder(name) }
    try folder.write(lines: lunch, to: "local/lunch.ics")
  }
}
