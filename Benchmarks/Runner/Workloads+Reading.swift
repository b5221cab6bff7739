// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Unfolds and splits every line with the lowest-level public reader.
struct Tokens: Workload {
  private let bytes: [UInt8]
  private var tally = LineTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    var tally = LineTally()
    var reader = ContentLineReader()
    try reader.consume(bytes.span, into: &tally)
    try reader.finish(into: &tally)
    self.tally = tally
    if let diagnostic = tally.diagnostic { throw Failure("\(diagnostic)") }
  }

  var answers: Answers { tally.answers }
}

/// Counts of content lines.
private struct LineTally: ContentLineHandler {
  private static let event = Array("VEVENT".utf8)
  private static let alarm = Array("VALARM".utf8)

  private var components = 0
  private var events = 0
  private var alarms = 0
  private var properties = 0
  /// The last diagnostic; the files have no errors, so it must be nil.
  private(set) var diagnostic: Diagnostic?

  var answers: Answers {
    [.components: components, .events: events, .alarms: alarms, .properties: properties]
  }

  mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
    if line.role == .property { properties &+= 1 } else { note(line, text) }
  }

  /// Counts a BEGIN line.
  @inline(never)
  private mutating func note(_ line: ContentLine, _ text: Span<UInt8>) {
    guard line.role == .begin else { return }
    components += 1
    if Self.isEqual(text.extracting(line.value), Self.event) { events += 1 }
    if Self.isEqual(text.extracting(line.value), Self.alarm) { alarms += 1 }
  }

  mutating func take(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  private static func isEqual(_ value: Span<UInt8>, _ word: [UInt8]) -> Bool {
    value.count == word.count && word.indices.allSatisfy { value[$0] == word[$0] }
  }
}

/// Builds the component tree without parsing values.
struct Tree: Workload {
  private let bytes: [UInt8]
  private var tally = ComponentTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ComponentTally()
    let stream = try CalendarStream(parsing: bytes)
    for calendar in stream.calendars { tally.add(calendar) }
  }

  var answers: Answers { tally.answers }
}

/// Builds the component tree and parses all values.
struct Typed: Workload {
  private let bytes: [UInt8]
  private var tally = ValueTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ValueTally()
    let stream = try CalendarStream(parsing: bytes)
    for calendar in stream.calendars { try tally.add(calendar) }
  }

  var answers: Answers { tally.answers }
}

/// Converts every item of the file to an `Event`, a `Reminder` or a `Journal`.
struct Model: Workload {
  private let bytes: [UInt8]
  private var tally = ModelTally()

  init(input: String) throws {
    bytes = try System.contents(of: input)
  }

  mutating func run() throws {
    tally = ModelTally()
    for calendar in try CalendarStream(parsing: bytes).calendars {
      for component in calendar.components { tally.add(component) }
    }
  }

  var answers: Answers { tally.answers }
}
