// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Testing

/// The examples of the documentation, each between two marks: they compile, and do what is said.
///
/// `DocumentationExampleTests` compares them with the articles.
@Suite("Examples of the documentation")
struct DocumentationExamples {
  private static let text = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Example//EN\r
    BEGIN:VEVENT\r
    UID:1@example.org\r
    DTSTAMP:20260101T000000Z\r
    DTSTART;TZID=Europe/Berlin:20260102T120000\r
    SUMMARY:Lunch\r
    LOCATION:Canteen\r
    CATEGORIES:food,friends\r
    ATTENDEE;CN="Doe, Ann":mailto:ann@example.org\r
    END:VEVENT\r
    END:VCALENDAR\r

    """
  private let bytes = Array(Self.text.utf8)

  /// What an example prints.
  private final class Console {
    var lines: [String] = []
  }

  private let console = Console()

  private func print(_ items: Any...) {
    console.lines.append(items.map { "\($0)" }.joined(separator: " "))
  }

  private func event() throws -> Component {
    try #require(try CalendarStream(parsing: bytes).calendars.first?.components.first)
  }

  @Test("The landing page")
  func landing() throws {
    // example: ICalSyntax
    let stream = try CalendarStream(parsing: bytes)
    for diagnostic in stream.diagnostics { print(diagnostic.formatted(path: "team.ics")) }
    for calendar in stream.calendars {
      for event in calendar.components(named: .event) {
        print(event[.summary]?.text ?? "no title")
      }
    }
    // end
    #expect(console.lines == ["Lunch"])
  }

  @Test("A whole document")
  func document() throws {
    // example: ThreeWays
    let stream = try CalendarStream(parsing: bytes)
    let titles = stream.calendars.flatMap { $0.components(named: .event) }.map {
      $0[.summary]?.text
    }
    // end
    #expect(titles == ["Lunch"])
  }

  @Test("Several cores")
  func severalCores() async throws {
    // example: ThreeWays
    let stream = try await CalendarStream(parsing: bytes, inParallel: 4)
    // end
    #expect(stream == (try CalendarStream(parsing: bytes)))
  }

  @Test("One component at a time")
  func components() throws {
    // example: ThreeWays
    var reader = ComponentReader()
    try reader.consume(bytes.span)
    try reader.finish()
    var count = 0
    while let element = reader.next() {
      if case .component(let component) = element, component.name == .event { count += 1 }
    }
    // end
    #expect(count == 1)
  }

  @Test("Each thing as it is found")
  func elements() throws {
    // example: ThreeWays
    var reader = ComponentReader()
    try reader.consume(bytes.span)
    try reader.finish()
    while let element = reader.next() {
      switch element {
      case .calendarBegan(let position, _): print("\(position): a calendar")
      case .property(let property): print("its \(property.name)")
      case .component(let component): print("a \(component.name)")
      case .calendarEnded(let isComplete, _): print(isComplete ? "its end" : "no end")
      case .diagnostic(let diagnostic): print(diagnostic.formatted(path: "team.ics"))
      }
    }
    // end
    #expect(
      console.lines == ["1:1: a calendar", "its VERSION", "its PRODID", "a VEVENT", "its end"])
  }

  @Test("Line by line")
  func lines() throws {
    // example: ThreeWays
    struct Titles: ContentLineHandler {
      var titles: [String] = []
      mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
        guard line.role == .property, line.propertyName(in: text) == .summary else { return }
        titles.append(TextEscaping.unescape(text.extracting(line.value)))
      }
      mutating func take(_ diagnostic: Diagnostic) {}
    }
    var titles = Titles()
    var reader = ContentLineReader()
    try reader.consume(bytes.span, into: &titles)
    try reader.finish(into: &titles)
    // end
    #expect(titles.titles == ["Lunch"])
  }

  @Test("A stream in chunks, checked")
  func streaming() throws {
    let chunks = stride(from: 0, to: bytes.count, by: 10).map {
      Array(bytes[$0..<min(bytes.count, $0 + 10)])
    }
    // example: Streaming
    func titles(
      in chunks: some Sequence<[UInt8]>
    ) throws -> (titles: [String], diagnostics: [Diagnostic]) {
      var reader = ComponentReader()
      var checker = CalendarChecker()
      var diagnostics: [Diagnostic] = []
      var titles: [String] = []
      func take() {
        while let element = reader.next() {
          diagnostics += checker.check(element)
          if case .component(let component) = element, component.name == .event {
            titles.append(component[.summary]?.text ?? "no title")
          }
        }
      }
      for chunk in chunks {
        try reader.consume(chunk.span)
        take()
      }
      try reader.finish()
      take()
      return (titles, diagnostics)
    }
    // end
    let found = try titles(in: chunks)
    #expect(found.titles == ["Lunch"])
    #expect(found.diagnostics.map(\.code) == [.missingComponent])
  }

  @Test("Writing a stream")
  func writing() throws {
    let events = [try event(), try event()]
    var written: [UInt8] = []
    func write(_ bytes: [UInt8]) throws { written += bytes }
    // example: Streaming
    var output: [UInt8] = []
    for event in events {
      Serializer().write(event, to: &output)
      try write(output)
      output.removeAll(keepingCapacity: true)
    }
    // end
    #expect(written.count > 400 && output.isEmpty)
  }

  @Test("Writing a stream element by element")
  func rewriting() throws {
    var reader = ComponentReader()
    try reader.consume(bytes.span)
    try reader.finish()
    var output: [UInt8] = []
    // example: Streaming
    var writer = StreamSerializer(Serializer(form: .canonical))
    while let element = reader.next() { writer.write(element, to: &output) }
    writer.finish(to: &output)
    // end
    #expect(output == Serializer(form: .canonical).bytes(of: try CalendarStream(parsing: bytes)))
  }

  @Test("Typed values")
  func typedValues() throws {
    let event = try event()
    // example: ReadingValues
    if case .dateTime(let start, let isUTC) = event[.dtStart]?.typedValues.first {
      print(
        "\(start.date) at \(start.time), \(isUTC ? "UTC" : event[.dtStart]?[.tzID] ?? "floating")")
    }
    for category in event.properties(named: .categories).flatMap(\.typedValues.values) {
      if case .text(let text) = category { print(text.string) }
    }
    // end
    #expect(console.lines == ["20260102 at 120000, Europe/Berlin", "food", "friends"])
  }

  @Test("A value that is not as it should be")
  func problems() {
    // example: ReadingValues
    let property = Property("DURATION", rawValue: "P1W2D")
    let values = property.typedValues
    print(values.values.count, values.problems.map(\.message))
    // end
    #expect(console.lines == [#"1 ["expected the end of the value, found \"2\""]"#])
  }

  @Test("Parameters")
  func parameters() throws {
    let event = try event()
    // example: ReadingValues
    for attendee in event.properties(named: .attendee) {
      print(
        attendee[.commonName] ?? attendee.rawValue, attendee[.participationStatus] ?? "NEEDS-ACTION"
      )
    }
    // end
    #expect(console.lines == ["Doe, Ann NEEDS-ACTION"])
  }

  @Test("A component that is made in memory")
  func building() throws {
    // example: BuildingComponents
    var event = Component(
      .event,
      properties: [
        Property(.uid, text: "lunch@example.org"),
        Property(.dtStamp, rawValue: "20260101T000000Z"),
        Property(
          .dtStart, rawValue: "20260102T120000", parameters: [Parameter(.tzID, "Europe/Berlin")]),
        Property(.summary, text: "Lunch, at last"),
      ])
    event[.location] = Property(.location, text: "Canteen; the new one")
    event[.attendee] = Property(
      .attendee, rawValue: "mailto:ann@example.org",
      parameters: [Parameter(.commonName, "Ann \"A\"")])
    let calendar = Component(
      .calendar,
      properties: [
        Property(.version, text: "2.0"), Property(.productID, text: "-//Example//EN"),
      ],
      components: [event])
    let bytes = Serializer().bytes(of: calendar)
    // end
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\r\nSUMMARY:Lunch\\, at last\r\nLOCATION:Canteen\\; the new one\r\n"))
    #expect(text.contains("\r\nATTENDEE;CN=Ann ^'A^':mailto:ann@example.org\r\n"))
    #expect(try CalendarStream(parsing: bytes).calendars == [calendar])
  }

  @Test("Changing what was read")
  func changing() throws {
    // example: BuildingComponents
    var calendar = try CalendarStream(parsing: bytes).calendars[0]
    for index in calendar.components.indices where calendar.components[index].name == .event {
      calendar.components[index][.summary]?.text += " (moved)"
      calendar.components[index][.location] = nil
    }
    // end
    let expected = Self.text.replacing("Lunch", with: "Lunch (moved)")
      .replacing("LOCATION:Canteen\r\n", with: "")
    #expect(Serializer().bytes(of: calendar) == Array(expected.utf8))
  }

  @Test("The round trip")
  func roundTrip() throws {
    // example: RoundTrip
    let stream = try CalendarStream(parsing: bytes)
    var calendar = stream.calendars[0]
    let untouched = Serializer().bytes(of: calendar)  // the same bytes
    calendar.components[0][.summary]?.text = "Another title"
    let changed = Serializer().bytes(of: calendar)  // the same but for one line
    // end
    #expect(untouched == bytes)
    #expect(changed == Array(Self.text.replacing(":Lunch", with: ":Another title").utf8))
  }

  @Test("The canonical form")
  func canonical() throws {
    let calendar = try CalendarStream(parsing: bytes).calendars[0]
    // example: RoundTrip
    let canonical = Serializer(form: .canonical).bytes(of: calendar)
    // end
    #expect(try CalendarStream(parsing: canonical).calendars[0].components.count == 1)
  }

  @Test("Limits")
  func limits() {
    // example: ErrorsAndLimits
    var limits = ParserLimits()
    limits.lineLength = 1 << 20
    limits.nesting = 4
    do {
      let stream = try CalendarStream(parsing: bytes, limits: limits)
      print(stream.diagnostics.count, "diagnostics")
    } catch {
      // `error` is a SyntaxError, and names the limit and the place.
      print(error.diagnostic.formatted(path: "team.ics"))
    }
    // end
    #expect(console.lines == ["0 diagnostics"])
  }

  @Test("Codes of diagnostics")
  func codes() throws {
    let stream = try CalendarStream(parsing: "BEGIN:VCALENDAR\r\n")
    // example: ErrorsAndLimits
    let errors = stream.diagnostics.filter { $0.severity == .error }
    let cutOff = stream.diagnostics.contains { $0.code == .missingEnd }
    // end
    #expect(errors.count == 1 && cutOff)
  }

  @Test("jCal")
  func jCal() throws {
    // example: OtherForms
    let stream = try CalendarStream(parsing: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
    let json = JCalWriter().bytes(of: stream.calendars[0])
    // ["vcalendar",[["version",{},"text","2.0"]],[]]
    let again = try CalendarStream(parsingJCal: json)
    // end
    #expect(again.calendars == stream.calendars)
    #expect(String(decoding: json, as: UTF8.self).hasPrefix(#"["vcalendar",[["version",{},"#))
  }
}
