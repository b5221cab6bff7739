// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

@Suite("ComponentReader")
struct ComponentReaderTests {
  private static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    BEGIN:VEVENT\r
    UID:1\r
    SUMMARY:Grüße aus \r
     Köln\r
    BEGIN:VALARM\r
    TRIGGER:-PT15M\r
    END:VALARM\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  private func elements(_ text: String, chunk: Int = .max) throws -> [ReaderElement] {
    try elements(Array(text.utf8), chunk: chunk)
  }

  private func elements(_ bytes: [UInt8], chunk: Int = .max) throws -> [ReaderElement] {
    var reader = ComponentReader()
    var elements: [ReaderElement] = []
    var index = 0
    while index < bytes.count {
      let end = chunk == .max ? bytes.count : min(bytes.count, index + chunk)
      try reader.consume(Array(bytes[index..<end]).span)
      while let element = reader.next() { elements.append(element) }
      index = end
    }
    try reader.finish()
    while let element = reader.next() { elements.append(element) }
    return elements
  }

  private func codes(_ text: String) throws -> [String] {
    try CalendarStream(parsing: text).diagnostics.map { "\($0.position) \($0.code)" }
  }

  @Test("A calendar comes out as its properties and components, in order")
  func order() throws {
    let found = try elements(Self.calendar)
    try #require(found.count == 4)
    #expect(found[0] == .calendarBegan(SourcePosition(line: 1, column: 1), offset: 0))
    #expect(found[1] == .property(Property("VERSION", rawValue: "2.0")))
    guard case .component(let event) = found[2] else {
      Issue.record("expected a component, found \(found[2])")
      return
    }
    #expect(event.name == .event)
    #expect(event[.summary]?.text == "Grüße aus Köln")
    #expect(event.components.map(\.name) == [.alarm])
    #expect(event.components[0][.trigger]?.rawValue == "-PT15M")
    #expect(found[3] == .calendarEnded(isComplete: true, offset: Self.calendar.utf8.count))
  }

  @Test("Where the chunks are cut changes nothing")
  func chunks() throws {
    for text in [
      Self.calendar, Self.calendar.replacing("\r\n", with: "\n"),
      Self.calendar.replacing("\r\n", with: "\r"), "\u{FEFF}" + Self.calendar,
    ] {
      let whole = try elements(text)
      for size in 1...40 {
        #expect(try elements(text, chunk: size) == whole, "chunks of \(size) bytes")
      }
    }
  }

  @Test("A stream that is over stays as it was")
  func afterTheEnd() throws {
    var reader = ComponentReader()
    try reader.consume(Array(Self.calendar.utf8).span)
    try reader.finish()
    try reader.consume(Array(Self.calendar.utf8).span)
    try reader.finish()
    var found: [ReaderElement] = []
    while let element = reader.next() { found.append(element) }
    #expect(try found == elements(Self.calendar))
  }

  @Test("What a calendar has of its own may stand between its components and in any calendar")
  func propertiesOfCalendars() throws {
    let text = """
      BEGIN:VCALENDAR\r
      BEGIN:VEVENT\r
      UID:1\r
      END:VEVENT\r
      X-WR-CALNAME:Among\r
       them\r
      BEGIN:VTODO\r
      END:VTODO\r
      END:VCALENDAR\r
      VERSION:1.0\r
      BEGIN:VCALENDAR\r
      VERSION;X-A=b:2.0\r
      END:VEVENT\r
      PRODID:x\r
      END:VCALENDAR\r

      """
    let stream = try CalendarStream(parsing: text)
    #expect(
      stream.calendars.map { $0.properties.map(\.rawValue) } == [["Amongthem"], ["2.0", "x"]])
    #expect(
      stream.calendars.map { $0.components.map(\.name.rawName) } == [["VEVENT", "VTODO"], []])
    #expect(stream.strays.properties.map(\.rawValue) == ["1.0"])
    #expect(stream.diagnostics.map(\.position.line) == [10, 13])
  }

  @Test("A fold may stand inside a UTF-8 sequence")
  func foldInsideCharacter() throws {
    var bytes = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:K".utf8)
    bytes += [0xC3] + Array("\r\n ".utf8) + [0xB6]
    bytes += Array("ln\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    let stream = try CalendarStream(parsing: bytes)
    #expect(stream.diagnostics.isEmpty)
    #expect(stream.calendars[0].components[0][.summary]?.text == "Köln")
  }

  @Test("Components are handed out before the stream ends")
  func streaming() throws {
    var reader = ComponentReader()
    try reader.consume("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nBEGIN:VEVENT\n".utf8.span)
    var names: [ComponentName] = []
    while let element = reader.next() {
      if case .component(let component) = element { names.append(component.name) }
    }
    #expect(names == [.event])
  }

  struct Fault: CustomTestStringConvertible {
    let name: String
    let text: String
    let codes: [String]
    var testDescription: String { name }
  }

  static let faults: [Fault] = [
    Fault(name: "empty file", text: "", codes: ["1:1 file.no-calendar"]),
    Fault(
      name: "HTML page", text: "<html>\r\n<body>\r\n</html>\r\n",
      codes: ["1:1 component.stray-property", "1:1 file.no-calendar"]),
    Fault(
      name: "no END of an event",
      text: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VCALENDAR\r\n",
      codes: ["4:1 component.missing-end"]),
    Fault(
      name: "an event inside an event",
      text: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      codes: ["3:1 component.missing-end"]),
    Fault(
      name: "END without BEGIN",
      text: "BEGIN:VCALENDAR\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      codes: ["2:1 component.unexpected-end"]),
    Fault(
      name: "cut off", text: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMM",
      codes: ["3:5 line.malformed", "3:5 component.missing-end", "3:5 component.missing-end"]),
    Fault(
      name: "event outside of a calendar", text: "BEGIN:VEVENT\r\nEND:VEVENT\r\n",
      codes: ["1:7 component.misplaced"]),
    Fault(
      name: "no colon", text: "BEGIN:VCALENDAR\r\nVERSION\r\nEND:VCALENDAR\r\n",
      codes: ["2:8 line.malformed"]),
    Fault(
      name: "no name", text: "BEGIN:VCALENDAR\r\n:2.0\r\nEND:VCALENDAR\r\n",
      codes: ["2:1 line.malformed"]),
    Fault(
      name: "no equals sign", text: "BEGIN:VCALENDAR\r\nX-A;B:c\r\nEND:VCALENDAR\r\n",
      codes: ["2:6 parameter.malformed"]),
    Fault(
      name: "open quote", text: "BEGIN:VCALENDAR\r\nX-A;B=\"c:d\r\nEND:VCALENDAR\r\n",
      codes: ["2:7 parameter.malformed"]),
    Fault(
      name: "control character", text: "BEGIN:VCALENDAR\r\nX-A:b\u{01}\r\nEND:VCALENDAR\r\n",
      codes: ["2:6 line.control"]),
    Fault(
      name: "empty line", text: "BEGIN:VCALENDAR\r\n\r\nEND:VCALENDAR\r\n",
      codes: ["2:1 line.blank"]),
    Fault(
      name: "LF alone", text: "BEGIN:VCALENDAR\r\nX-A:b\nEND:VCALENDAR\r\n", codes: ["2:1 line.end"]
    ),
    Fault(
      name: "fault in the second physical line of a folded one",
      text: "BEGIN:VCALENDAR\r\nX-A:b\r\n c\u{01}\r\nEND:VCALENDAR\r\n",
      codes: ["3:3 line.control"]),
  ]

  @Test("What is wrong is named with its place", arguments: faults)
  func namesWhatIsWrong(_ fault: Fault) throws {
    #expect(try codes(fault.text) == fault.codes)
  }

  @Test("Bytes that are not UTF-8 are diagnosed and kept")
  func invalidUTF8() throws {
    let head = Array("BEGIN:VCALENDAR\r\nX-A:".utf8)
    let tail = Array("\r\nEND:VCALENDAR\r\n".utf8)
    let stream = try CalendarStream(parsing: head + [0x63, 0xE9] + tail)
    #expect(stream.diagnostics.map { "\($0.position) \($0.code)" } == ["2:6 line.utf8"])
    #expect(stream.calendars[0].properties[0].valueBytes == [0x63, 0xE9])
    let utf16: [UInt8] = [0xFF, 0xFE, 0x42, 0x00, 0x45, 0x00]
    #expect(try CalendarStream(parsing: utf16).diagnostics.map(\.code) == [.invalidUTF8])
  }

  @Test("A line that is no content line is kept and written back in its place")
  func malformedLineSurvives() throws {
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nraw junk\r\nX-B:c\r\nEND:VEVENT\r\n"
    var event = try #require(
      try CalendarStream(parsing: text + "END:VCALENDAR\r\n").calendars[0].components.first)
    #expect(event.properties.map(\.isWellFormed) == [true, false, true])
    event[.uid]?.text = "2"
    #expect(
      String(decoding: Serializer().bytes(of: event), as: UTF8.self)
        == "BEGIN:VEVENT\r\nUID:2\r\nraw junk\r\nX-B:c\r\nEND:VEVENT\r\n")
  }

  @Test("Several calendars in one stream stay apart")
  func severalCalendars() throws {
    let stream = try CalendarStream(parsing: Self.calendar + Self.calendar)
    #expect(stream.calendars.count == 2)
    #expect(stream.calendars[0] == stream.calendars[1])
  }

  @Test("Limits throw and name what they found")
  func limits() throws {
    var limits = ParserLimits()
    limits.lineLength = 64
    limits.componentSize = 512
    limits.nesting = 2
    limits.propertiesPerComponent = 10
    limits.parametersPerComponent = 3
    let begin = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"
    let cases: [(text: String, code: DiagnosticCode)] = [
      (begin + "X-A:" + String(repeating: "a", count: 100), .lineLength),
      (begin + "BEGIN:VALARM\nBEGIN:X\n", .nesting),
      (begin + String(repeating: "X-A:b\n", count: 11), .propertyCount),
      (
        begin + "X-A:b\nBEGIN:VALARM\nEND:VALARM\n" + String(repeating: "X-A:b\n", count: 10),
        .propertyCount
      ),
      (begin + "X-A;X-B=1;X-C=2:b\nX-A;X-B=1;X-C=2:b\n", .parameterCount),
      (
        begin + (0..<9).map { _ in "X-A:" + String(repeating: "a", count: 59) + "\n" }.joined(),
        .componentSize
      ),
    ]
    for (text, code) in cases {
      let error = #expect(throws: SyntaxError.self) {
        try CalendarStream(parsing: text, limits: limits)
      }
      #expect(error?.diagnostic.code == code)
    }
  }
}
