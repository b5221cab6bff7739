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
    try reader.consume(bytes)
    try reader.finish()
    self.init(bytes, &reader)
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
      var reader = ComponentReader(batches: batches)
      self.init(bytes, &reader)
    } else {
      try self.init(parsing: bytes, limits: limits)
    }
  }

  /// Puts a stream together from what a reader found in it.
  private init(_ bytes: [UInt8], _ reader: inout ComponentReader) {
    var calendars: [Component] = []
    var strays = ComponentNode(name: "")
    var diagnostics: [Diagnostic] = []
    var open: CalendarDraft?
    while let element = reader.next() {
      switch element {
      case .calendarBegan(let position, let offset):
        open = CalendarDraft(position: position, start: offset)
      case .property(let property):
        if open == nil { strays.properties.append(property) }
        open?.properties.append(property)
      case .component(let component):
        if open == nil { strays.components.append(component) }
        open?.components.append(component)
      case .calendarEnded(let isComplete, let end):
        if let draft = open {
          calendars.append(draft.component(source: isComplete ? bytes[draft.start..<end] : nil))
        }
        open = nil
      case .diagnostic(let diagnostic): diagnostics.append(diagnostic)
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
  let position: SourcePosition
  /// Where the calendar begins in the stream.
  let start: Int
  var properties: [Property] = []
  var components: [Component] = []

  func component(source: ArraySlice<UInt8>?) -> Component {
    Component(
      ComponentNode(
        name: .calendar, properties: PropertyList(properties),
        components: ComponentList(components), isComplete: source != nil, position: position,
        source: source))
  }
}
