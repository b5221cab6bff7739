// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICalSyntax
import TestSupport
import Testing

@Suite("vCalendar 1.0")
struct VCalendarTests {
  /// What is read of a file, as iCalendar, and what is said about it.
  private func read(
    _ bytes: [UInt8], chunk: Int = 4096
  ) throws -> (lines: [UInt8], diagnostics: [Diagnostic], checks: [Diagnostic]) {
    var reader = VCalendarReader(decoder: Self.decode)
    var checker = CalendarChecker()
    var lines: [UInt8] = []
    var found: [Diagnostic] = []
    var checks: [Diagnostic] = []
    func take() {
      while let element = reader.next() {
        checks += checker.check(element)
        switch element {
        case .calendarBegan: lines += "BEGIN:VCALENDAR\r\n".utf8
        case .property(let property): Serializer().write(property, to: &lines)
        case .component(let component): Serializer().write(component, to: &lines)
        case .calendarEnded: lines += "END:VCALENDAR\r\n".utf8
        case .diagnostic(let diagnostic): found.append(diagnostic)
        }
      }
    }
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.consume(Array(bytes[start..<min(start + chunk, bytes.count)]).span)
      take()
    }
    try reader.finish()
    take()
    return (lines, found.sorted { $0.position < $1.position }, checks)
  }

  /// Knows one character set, which needs no table.
  @Sendable private static func decode(_ bytes: [UInt8], _ charset: String?) -> [UInt8]? {
    guard charset == "ISO-8859-1" else { return nil }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return Array(text.utf8)
  }

  private static let names = [
    "phone", "zone", "rules", "people", "charsets", "zone-of-icalendar",
  ]

  @Test("Components of iCalendar in a calendar of version 1.0 are reported once, at the version")
  func iCalendarOfVersion1() throws {
    func calendar(_ stamp: String) -> [UInt8] {
      let event = ["BEGIN:VEVENT", "UID:1", "DTSTART:20260705T080000Z"] + [stamp] + ["END:VEVENT"]
      let lines = ["BEGIN:VCALENDAR", "VERSION:1.0"] + event + event + ["END:VCALENDAR"]
      return Array(lines.map { $0 + "\r\n" }.joined().utf8)
    }
    let found = try read(calendar("DTSTAMP:20260101T000000Z")).diagnostics
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.position.line == 2)
    #expect(try read(calendar("DCREATED:20260101T000000Z")).diagnostics.isEmpty)
  }

  @Test("Each fixture becomes its golden, and what is said about it is recorded", arguments: names)
  func goldens(name: String) throws {
    let fixture = try Fixture("vcalendar/\(name).vcs")
    let (lines, diagnostics, checks) = try read(fixture.bytes)
    try Golden("vcalendar/\(name).ics").expect(String(decoding: lines, as: UTF8.self))
    let told = diagnostics.map { $0.formatted(path: fixture.path) + "\n" }.joined()
    try Golden(fixture.path + ".diagnostics").expect(told)
    // What iCalendar must have is there, whatever the file lacks.
    let errors = checks.filter { $0.severity == .error && $0.code != .charset }
    #expect(errors.map(\.message) == [])
    for chunk in [1, 7] { #expect(try read(fixture.bytes, chunk: chunk).lines == lines) }
  }

  struct Case: CustomTestStringConvertible {
    let rule: String
    let translated: String?
    var start = "19960901T120000Z"
    var zone = ""
    var testDescription: String { "\(rule) from \(start)" }
  }

  static let ruleCases: [Case] = [
    Case(rule: "D1 #10", translated: "FREQ=DAILY;COUNT=10"),
    Case(rule: "D2", translated: "FREQ=DAILY;INTERVAL=2;COUNT=2"),
    Case(rule: "d1 0600 1200 #4", translated: "FREQ=DAILY;BYHOUR=6,12;BYMINUTE=0;COUNT=4"),
    Case(rule: "D1 0600 1215 #4", translated: nil),
    Case(rule: "D1 M15 #4", translated: nil),
    Case(rule: "M15 #8", translated: "FREQ=MINUTELY;INTERVAL=15;COUNT=8"),
    Case(rule: "W1 #4", translated: "FREQ=WEEKLY;COUNT=4"),
    Case(
      rule: "W1 MO TU 19991231T000000Z",
      translated: "FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=19991231T000000Z"),
    Case(rule: "W2 TU TH #0", translated: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"),
    Case(rule: "W1 TU 1200 #4", translated: nil),
    Case(rule: "MP1 1+ SU #5", translated: "FREQ=MONTHLY;BYDAY=1SU;COUNT=5"),
    Case(
      rule: "MP2 1+ 2- SU FR", translated: "FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,-2SU,1FR,-2FR;COUNT=2"
    ),
    Case(rule: "MP1 #5", translated: "FREQ=MONTHLY;BYDAY=1SU;COUNT=5"),
    Case(rule: "MP1 2+ #5", translated: "FREQ=MONTHLY;BYDAY=2SU;COUNT=5"),
    Case(rule: "MP1 6+ SU #5", translated: nil),
    Case(rule: "MD1 1 15 #0", translated: "FREQ=MONTHLY;BYMONTHDAY=1,15"),
    Case(rule: "MD1 2- LD 3+ #1", translated: "FREQ=MONTHLY;BYMONTHDAY=-2,-1,3;COUNT=1"),
    Case(rule: "MD1 32 #1", translated: nil),
    Case(rule: "MD1", translated: "FREQ=MONTHLY;COUNT=2"),
    Case(rule: "YM1 6 #10", translated: "FREQ=YEARLY;BYMONTH=6;COUNT=10"),
    Case(rule: "YM1 #0", translated: "FREQ=YEARLY"),
    Case(rule: "YM1 13", translated: nil),
    Case(rule: "YD1 1 100 200 #6", translated: "FREQ=YEARLY;BYYEARDAY=1,100,200;COUNT=6"),
    Case(rule: "W0 #4", translated: nil),
    Case(rule: "weekly", translated: nil),
    Case(rule: "", translated: nil),
    Case(rule: "FREQ=DAILY;COUNT=3", translated: "FREQ=DAILY;COUNT=3"),
    // The last time takes the form of the start.
    Case(rule: "D1 19991231", translated: "FREQ=DAILY;UNTIL=19991231", start: "19960901"),
    Case(rule: "D1 19991231T120000Z", translated: "FREQ=DAILY;UNTIL=19991231", start: "19960901"),
    Case(rule: "D1 19991231", translated: "FREQ=DAILY;UNTIL=19991231T235959Z"),
    Case(
      rule: "D1 19991231T120000Z", translated: "FREQ=DAILY;UNTIL=19991231T120000",
      start: "19960901T120000"),
    Case(
      rule: "D1 19991231T120000", translated: "FREQ=DAILY;UNTIL=19991231T170000Z",
      start: "19960901T120000", zone: "TZ:-05\r\n"),
  ]

  @Test("Rules are those of iCalendar, or kept aside", arguments: ruleCases)
  func translatesRules(_ item: Case) throws {
    let text = """
      BEGIN:VCALENDAR\r\nVERSION:1.0\r\n\(item.zone)BEGIN:VEVENT\r
      DTSTART:\(item.start)\r\nRRULE:\(item.rule)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """
    let (lines, diagnostics, _) = try read(Array(text.utf8))
    let event = try CalendarStream(parsing: lines).calendars.first?.components(named: .event).first
    #expect(event?[.rRule]?.rawValue == item.translated)
    #expect(event?["X-VCAL-RRULE"]?.rawValue == (item.translated == nil ? item.rule : nil))
    #expect(diagnostics.map(\.code) == (item.translated == nil ? [.untranslated] : []))
    if let rule = event?[.rRule] { #expect(rule.typedValues.problems == []) }
  }

  @Test("A version is known by its line, before the first component")
  func recognition() {
    func recognizes(_ text: String) -> Bool? { VCalendarReader.recognizes(Array(text.utf8)) }
    #expect(recognizes("BEGIN:VCALENDAR\r\nVERSION:1.0\r\n") == true)
    #expect(recognizes("\u{FEFF}\n x-begin:vcalendar\nPRODID:x\nversion:1.0\n") == false)
    #expect(recognizes("\u{FEFF}\n begin:vcalendar\nPRODID:x\nversion:1.0\n") == true)
    #expect(recognizes("\u{FEFF}\nbegin:vcalendar\nPRODID:x\nversion:1.0 \n") == true)
    #expect(recognizes("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") == false)
    #expect(recognizes("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nVERSION:1.0\r\n") == false)
    #expect(recognizes("BEGIN:VCARD\r\n") == false)
    #expect(recognizes("BEGIN:VCALENDAR\r\nVERSION:1.") == nil)
    #expect(recognizes("") == nil)
    #expect(recognizes(String(repeating: "x", count: VCalendarReader.prefixSize)) == false)
  }

  @Test("Lines keep their numbers, whatever becomes of their breaks")
  func positions() throws {
    let text = "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nX-A;QUOTED-PRINTABLE:a=\nb=\n\nRNUM:1\n"
    let (_, diagnostics, _) = try read(Array(text.utf8))
    #expect(
      diagnostics.first { $0.code == .untranslated }?.position == SourcePosition(line: 7, column: 1)
    )
  }

  @Test("Reading a file again gives the same UID, and another file another")
  func identifiers() throws {
    func uid(_ summary: String) throws -> String? {
      let text = "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VTODO\nSUMMARY:\(summary)\nEND:VTODO\n"
      let lines = try read(Array(text.utf8)).lines
      return try CalendarStream(parsing: lines).calendars[0].components[0][.uid]?.text
    }
    #expect(try uid("a") == (try uid("a")))
    #expect(try uid("a") != (try uid("b")))
  }

  @Test("Bytes of an unknown character set stay as they are")
  func unknownBytes() throws {
    let lines = try read(try Fixture("vcalendar/charsets.vcs").bytes).lines
    #expect(lines.contains(Array("COMMENT:Gr".utf8) + [0xFC, 0xDF]))
    #expect(lines.contains(Array("CONTACT:".utf8) + [0xE9, 0x0D]))
  }

  @Test("In a stream that was converted, CHARSET speaks only of what is quoted-printable")
  func converted() throws {
    let text = """
      BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nUID:1\r
      SUMMARY;CHARSET=ISO-8859-1:Café\r
      LOCATION;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Caf=E9\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """
    var reader = VCalendarReader(isConverted: true, decoder: Self.decode)
    try reader.consume(Array(text.utf8).span)
    try reader.finish()
    var event: Component?
    while let element = reader.next() {
      if case .component(let component) = element { event = component }
    }
    #expect(event?[.summary]?.text == "Café")
    #expect(event?[.location]?.text == "Café")
  }

  @Test("Damaged bytes are read alike in pieces, and every report is about one of their lines")
  func hostile() throws {
    var random = SeededGenerator(seed: 1996)
    let fixtures = try Self.names.map { try Fixture("vcalendar/\($0).vcs").bytes }
    for _ in 0..<300 {
      var bytes = fixtures.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          bytes.remove(at: place)
        }
      }
      let (lines, diagnostics, _) = try read(bytes)
      let pieces = try read(bytes, chunk: 7)
      #expect(pieces.lines == lines && pieces.diagnostics == diagnostics)
      let last = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
      let outside = diagnostics.filter { !(1...last).contains($0.position.line) }
      #expect(outside.map(\.message) == [])
    }
  }
}
