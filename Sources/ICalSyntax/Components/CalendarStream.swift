// SPDX-License-Identifier: Apache-2.0

/// A whole iCalendar stream in memory: its calendars and what was said about them (RFC 5545 §3.4).
///
/// For files that fit in memory; `ComponentReader` reads streams of any length.
public struct CalendarStream: Hashable, Sendable {
  /// The VCALENDAR components, in the order of the stream, usually one.
  public var calendars: [Component]
  /// Components that stand outside of any calendar, and the properties of none.
  public var strays: Component
  /// What is wrong with the stream, in order of place.
  public let diagnostics: [Diagnostic]

  /// Reads a stream.
  ///
  /// - Throws: `SyntaxError` if one of the limits is reached.
  public init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits()
  ) throws(SyntaxError) {
    var reader = ComponentReader(limits: limits)
    self.init(bytes, try reader.readWhole(bytes))
  }

  /// Reads a stream on several cores, with the same answer as on one.
  ///
  /// The stream is cut where a component ends and another begins, and the parts are read at the same
  /// time. One that cannot be cut so is read from one end to the other.
  ///
  /// - Parameters:
  ///   - bytes: The whole stream.
  ///   - limits: The limits.
  ///   - parts: In how many parts it is read at most, usually the number of cores.
  /// - Throws: `SyntaxError` if one of the limits is reached.
  public init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits(), inParallel parts: Int
  ) async throws(SyntaxError) {
    if let batches = await ParallelReading.read(bytes, limits: limits, parts: parts) {
      self.init(bytes, batches)
    } else {
      try self.init(parsing: bytes, limits: limits)
    }
  }

  /// Reads a stream in parts as on several cores, but one part after the other.
  package init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits(), inTurn parts: Int
  ) throws(SyntaxError) {
    if let batches = ParallelReading.readInTurn(bytes, limits: limits, parts: parts) {
      self.init(bytes, batches)
    } else {
      try self.init(parsing: bytes, limits: limits)
    }
  }

  /// Puts a stream together from what a reader found in it.
  private init(_ bytes: [UInt8], _ batches: [ReaderBatch]) {
    var calendars: [Component] = []
    var strays = ComponentNode(name: "")
    var diagnostics: [Diagnostic] = []
    var open: CalendarDraft?
    for batch in batches {
      let block = batch.block
      for index in batch.findings.indices {
        switch batch.findings[index] {
        case .calendarBegan(let line):
          open = CalendarDraft(
            position: Property(block, line: line).position,
            start: batch.offset + Int(block.lines[line].start))
        case .property(let line):
          let property = Property(block, line: line)
          if open == nil { strays.properties.append(property) }
          open?.properties.append(property)
        case .component(let record):
          let component = Component(block, record: record)
          if open == nil { strays.components.append(component) }
          open?.components.append(component)
        case .calendarEnded(let isComplete, let end):
          if let draft = open {
            let range = draft.start..<(batch.offset + end)
            calendars.append(draft.component(source: isComplete ? bytes[range] : nil))
          }
          open = nil
        case .diagnostic:
          if case .diagnostic(let diagnostic) = batch.element(at: index) {
            diagnostics.append(diagnostic)
          }
        }
      }
    }
    self.calendars = calendars
    self.strays = Component(strays)
    self.diagnostics = diagnostics.sorted { $0.position < $1.position }
  }

  /// Reads a stream.
  ///
  /// - Throws: `SyntaxError` if one of the limits is reached.
  public init(
    parsing bytes: Span<UInt8>, limits: ParserLimits = ParserLimits()
  ) throws(SyntaxError) {
    try self.init(parsing: Array(copying: bytes), limits: limits)
  }

  /// Puts a stream together from what was read in another form than content lines.
  init(calendars: [Component], strays: Component, diagnostics: [Diagnostic]) {
    self.calendars = calendars
    self.strays = strays
    self.diagnostics = diagnostics.sorted { $0.position < $1.position }
  }

  /// Reads a stream from text.
  ///
  /// - Throws: `SyntaxError` if one of the limits is reached.
  public init(parsing text: String, limits: ParserLimits = ParserLimits()) throws(SyntaxError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// The parts of a calendar that has begun.
private struct CalendarDraft {
  /// As many properties, and as many components, as the calendar of one event has.
  private static let usualCount = 8

  let position: SourcePosition?
  /// Where the calendar begins in the stream.
  let start: Int
  var properties: [Property] = []
  var components: [Component] = []

  init(position: SourcePosition?, start: Int) {
    self.position = position
    self.start = start
    properties.reserveCapacity(Self.usualCount)
    components.reserveCapacity(Self.usualCount)
  }

  func component(source: ArraySlice<UInt8>?) -> Component {
    Component(
      ComponentNode(
        name: .calendar, properties: PropertyList(properties),
        components: ComponentList(components), isComplete: source != nil, position: position,
        source: source))
  }
}
