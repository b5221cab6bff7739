// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import ICalSyntax
import Testing

/// The limits of a file of a stranger, in each format.
@Suite("Limits of a file")
struct FileLimitTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  /// The number of events in each file, with at least one problem each.
  private static let count = 2_000

  static let formats = [
    Case(
      name: "iCalendar",
      bytes: text(["BEGIN:VEVENT", "DTSTART:tomorrow", "END:VEVENT"], version: "2.0")),
    Case(
      name: "vCalendar 1.0",
      bytes: text(["BEGIN:VEVENT", "DTSTART:tomorrow", "END:VEVENT"], version: "1.0")),
    Case(name: "jCal", bytes: jCal),
  ]

  private static func text(_ event: [String], version: String) -> [UInt8] {
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:\(version)"] + repeatElement(event, count: count).joined()
      + ["END:VCALENDAR", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static var jCal: [UInt8] {
    let event = #"["vevent",[["dtstart",{},"date-time","tomorrow"]],[]]"#
    let events = repeatElement(event, count: count).joined(separator: ",")
    return Array(#"["vcalendar",[["version",{},"text","2.0"]],[\#(events)]]"#.utf8)
  }

  private static func limits(_ change: (inout ParserLimits) -> Void) -> ParserLimits {
    var limits = ParserLimits()
    change(&limits)
    return limits
  }

  @Test("A check ends at each limit, on any number of cores", arguments: formats)
  func checks(_ file: Case) async throws {
    let source = FileSource.bytes(file.bytes, label: file.name)
    let cases: [(ParserLimits, DiagnosticCode)] = [
      (Self.limits { $0.size = file.bytes.count - 1 }, .fileSize),
      (Self.limits { $0.components = 100 }, .componentCount),
      (Self.limits { $0.diagnostics = 100 }, .diagnosticCount),
    ]
    for (limits, code) in cases {
      let check = try FileCheck(of: source, limits: limits, now: nil)
      #expect(check.diagnostics.count { $0.code == code } == 1, "\(code)")
      if code == .diagnosticCount { #expect(check.diagnostics.count == 101) }
      let parallel = try await FileCheck(of: source, limits: limits, now: nil, cores: 3)
      #expect(parallel.diagnostics == check.diagnostics, "\(code)")
      #expect(parallel.counts == check.counts, "\(code)")
    }
    let found = try FileCheck(of: source, now: nil).diagnostics
    #expect(found.count >= Self.count)
    #expect(!found.contains { $0.code.rawValue.hasPrefix("limit.") })
  }

  @Test("A file in memory is read and checked up to the limits of its options", arguments: formats)
  func inMemory(_ file: Case) throws {
    let options = ReadingOptions(limits: Self.limits { $0.components = 100 })
    let read = try CalendarFile(file.bytes, name: file.name, options: options)
    #expect(read.components.count == 100)
    #expect(read.diagnostics.contains { $0.code == .componentCount })
    #expect(try read.check().contains { $0.code == .componentCount })
  }

  @Test("A file that exceeds a limit is not repaired")
  func repair() throws {
    let long = "SUMMARY:" + String(repeating: "a", count: 100)
    let bytes = Self.text(["BEGIN:VEVENT", long, "END:VEVENT"], version: "2.0")
    let options = ReadingOptions(limits: Self.limits { $0.components = 100 })
    let file = try CalendarFile(bytes, options: options)
    #expect(try !file.fixed().isChanged)
    #expect(try CalendarFile(bytes).fixed().isChanged)
  }
}
