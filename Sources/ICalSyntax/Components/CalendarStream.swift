// SPDX-License-Identifier: Apache-2.0

/// An iCalendar stream in memory: its calendars and diagnostics (RFC 5545 §3.4).
///
/// It is for files that fit in memory; `ComponentReader` reads streams of any length.
public struct CalendarStream: Hashable, Sendable {
  /// The VCALENDAR components in stream order, usually one.
  public var calendars: [Component]
  /// The components and properties outside of any calendar.
  public var strays: Component
  /// The diagnostics, ordered by position.
  public let diagnostics: [Diagnostic]

  /// Parses a stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits()
  ) throws(SyntaxError) {
    var reader = ComponentReader(limits: limits)
    self.init(bytes, try reader.readWhole(bytes))
  }

  /// Parses a stream on several cores, with the same result as on one.
  ///
  /// The stream is split between components, and the parts are parsed concurrently, several for
  /// each core. A stream that is too short or cannot be split is parsed sequentially.
  ///
  /// - Parameters:
  ///   - bytes: The whole stream.
  ///   - limits: The limits.
  ///   - cores: The number of cores.
  ///   - partSize: The minimum size of a part, in bytes. Smaller parts take longer to hand over
  ///     than to parse.
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits(), inParallel cores: Int,
    partSize: Int = 1 << 18
  ) async throws(SyntaxError) {
    let parts = min(cores * ParallelReading.partsPerCore, bytes.count / max(1, partSize))
    if cores > 1, parts > 1, !limits.countsWholeStream,
      let batches = ParallelReading.read(bytes, limits: limits, parts: parts, cores: cores)
    {
      self.init(bytes, batches)
    } else {
      try self.init(parsing: bytes, limits: limits)
    }
  }

  /// Parses a stream in the same parts as on several cores, but sequentially.
  package init(
    parsing bytes: [UInt8], limits: ParserLimits = ParserLimits(), inTurn parts: Int
  ) throws(SyntaxError) {
    if !limits.countsWholeStream,
      let batches = ParallelReading.readInTurn(bytes, limits: limits, parts: parts)
    {
      self.init(bytes, batches)
    } else {
      try self.init(parsing: bytes, limits: limits)
    }
  }

  /// Assembles a stream from the findings of a reader.
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

  /// Parses a stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(
    parsing bytes: Span<UInt8>, limits: ParserLimits = ParserLimits()
  ) throws(SyntaxError) {
    try self.init(parsing: Array(copying: bytes), limits: limits)
  }

  /// Creates a stream that was read from a format other than content lines.
  init(calendars: [Component], strays: Component, diagnostics: [Diagnostic]) {
    self.calendars = calendars
    self.strays = strays
    self.diagnostics = diagnostics.sorted { $0.position < $1.position }
  }

  /// Parses a stream from text.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(parsing text: String, limits: ParserLimits = ParserLimits()) throws(SyntaxError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// The parts of a calendar that is being read.
private struct CalendarDraft {
  /// The usual number of properties, and of components, in the calendar of a single event.
  private static let usualCount = 8

  let position: SourcePosition?
  /// The offset of the calendar in the stream.
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
