// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

/// The limits of a whole stream, for files of strangers.
@Suite("Limits of a stream")
struct StreamLimitTests {
  private static func calendar(_ count: Int, _ lines: String...) -> [UInt8] {
    let component = ["BEGIN:VEVENT"] + lines + ["END:VEVENT"]
    let all = ["BEGIN:VCALENDAR"] + (0..<count).flatMap { _ in component } + ["END:VCALENDAR", ""]
    return Array(all.joined(separator: "\r\n").utf8)
  }

  private func limits(_ change: (inout ParserLimits) -> Void) -> ParserLimits {
    var limits = ParserLimits()
    change(&limits)
    return limits
  }

  @Test("Each limit has its code, in a stream and in a check")
  func codes() throws {
    let cases: [(ParserLimits, DiagnosticCode)] = [
      (limits { $0.size = 1000 }, .fileSize),
      (limits { $0.components = 10 }, .componentCount),
      (limits { $0.diagnostics = 10 }, .diagnosticCount),
    ]
    let bytes = Self.calendar(100, "SUMMARY", "UID:1")
    for (limits, code) in cases {
      let error = #expect(throws: SyntaxError.self) {
        try CalendarStream(parsing: bytes, limits: limits)
      }
      #expect(error?.diagnostic.code == code)
      let found = FileChecker.diagnostics(for: bytes.span, limits: limits)
      #expect(found.contains { $0.code == code }, "\(code)")
      if code == .diagnosticCount { #expect(found.count <= 11) }
    }
  }

  @Test("The limits of a stream are those of jCal, too")
  func jCal() throws {
    let event = #"["vevent",[["dtstart",{},"date-time","tomorrow"]],[]]"#
    let events = repeatElement(event, count: 100).joined(separator: ",")
    let bytes = Array(#"["vcalendar",[],[\#(events)]]"#.utf8)
    let cases: [(ParserLimits, DiagnosticCode)] = [
      (limits { $0.size = bytes.count - 1 }, .fileSize),
      (limits { $0.components = 99 }, .componentCount),
      (limits { $0.diagnostics = 99 }, .diagnosticCount),
    ]
    for (limits, code) in cases {
      let error = #expect(throws: SyntaxError.self) {
        try CalendarStream(parsingJCal: bytes, limits: limits)
      }
      #expect(error?.diagnostic.code == code)
    }
    let exact = limits {
      $0.size = bytes.count
      $0.components = 100
      $0.diagnostics = 100
    }
    let stream = try CalendarStream(parsingJCal: bytes, limits: exact)
    #expect(stream.calendars[0].components.count == 100)
    #expect(stream.diagnostics.count == 100)
  }

  @Test("What is exactly at a limit is read")
  func exact() throws {
    let bytes = Self.calendar(10, "UID:1")
    let exact = limits {
      $0.size = bytes.count
      $0.components = 10
      $0.diagnostics = 0
    }
    #expect(try CalendarStream(parsing: bytes, limits: exact).calendars[0].components.count == 10)
  }

  @Test(
    "The limit of components is reached at the same place in any chunks", arguments: [1, 7, 4096])
  func chunks(_ size: Int) throws {
    let bytes = Self.calendar(50, "UID:1")
    var reader = ComponentReader(limits: limits { $0.components = 20 })
    let error = #expect(throws: SyntaxError.self) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.consume(Array(bytes[start..<min(bytes.count, start + size)]).span)
      }
      try reader.finish()
    }
    #expect(error?.diagnostic.position == SourcePosition(line: 2 + 20 * 3, column: 1))
    var count = 0
    while let element = reader.next() {
      if case .component = element { count += 1 }
    }
    #expect(count == 20)
  }

  @Test("100,000 broken components cost a thousand diagnostics")
  func hostile() {
    let bytes = Self.calendar(100_000, "DTSTART:tomorrow")
    let found = FileChecker.diagnostics(for: bytes.span, limits: .upload)
    #expect(found.count <= 1_001)
    #expect(found.contains { $0.code == .diagnosticCount })
  }
}
