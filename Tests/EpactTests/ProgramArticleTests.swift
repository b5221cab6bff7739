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

  private static func programs() throws -> [Program] {
    let article = try String(
      contentsOf: DocumentationCompiler.root.appending(
        path: "Sources/Epact/Epact.docc/Programs.md"), encoding: .utf8)
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

  @Test("Each of eleven programs or more has at most 20 lines, and its imports")
  func lengths() throws {
    let programs = try Self.programs()
    #expect(programs.count >= 11)
    for program in programs {
      #expect(program.code.split(separator: "\n").count <= 20, "\(program.title)")
      #expect(program.code.hasPrefix("import "), "\(program.title)")
    }
  }

  @Test("Each program is compiled, and prints what the article says", .timeLimit(.minutes(60)))
  func run() throws {
    let folder = try TemporaryFolder()
    let compiler = try DocumentationCompiler(in: folder)
    for program in try Self.programs() {
      let errors = try compiler.compile(program.code, to: folder.path(of: "program"))
      #expect(errors == [], "\(program.title)")
      guard errors.isEmpty else { continue }
      try Self.prepare(folder)
      let command = "cd \(folder.path) && HOME=\(folder.path) ./program </dev/null || true"
      let output = try TestProgram(["sh", "-c", command]).outputBytes()
      #expect(String(decoding: output, as: UTF8.self) == program.output, "\(program.title)")
    }
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
