// SPDX-License-Identifier: Apache-2.0

/// Reads jCal, the JSON form of iCalendar (RFC 7265), as the elements of `ComponentReader`.
///
/// It collects chunks of any size until the text is complete. Then it decodes one component at a
/// time, so that only the text itself is in memory. The text is one calendar or an array of
/// calendars (RFC 7265 §3.2). Invalid jCal is skipped with a diagnostic; invalid JSON ends the
/// reading with a diagnostic.
///
/// ```swift
/// var reader = JCalReader()
/// try reader.consume(bytes.span)
/// reader.finish()
/// while let element = reader.next() { print(element) }
/// ```
///
/// It cannot be copied, because two copies would each read half of the text.
public struct JCalReader: ~Copyable {
  /// The maximum number of bytes in a text.
  public static let sizeLimit = 512 << 20

  /// The expected next part of the text.
  private enum State {
    /// More bytes.
    case collecting
    /// A calendar or an array of calendars.
    case start
    /// A calendar in an array of calendars, or its end.
    case calendars(isFirst: Bool)
    /// A property of the calendar, or the end of the properties.
    case properties(isFirst: Bool)
    /// A component of the calendar, or the end of the components.
    case components(isFirst: Bool)
    /// The end of the text.
    case over
  }

  private var state = State.collecting
  private var collected: [UInt8] = []
  private var scanner = JSONScanner([])
  private var decoder: JCalDecoder
  /// Whether the text is an array of calendars.
  private var isStream = false
  private var hasComponents = false
  private var elements: [ReaderElement] = []
  private var nextElement = 0
  private let limits: ParserLimits
  private var totals = StreamTotals()
  /// The error of the limit that ended the reading; nil if none was reached.
  private(set) var limitError: SyntaxError?

  /// Creates a reader.
  ///
  /// - Parameter limits: The limits of the text: `nesting`, `size`, `components` and `diagnostics`.
  ///   The others are limits of content lines.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
    decoder = JCalDecoder(nesting: limits.nesting)
  }

  /// Adds the next bytes of the text.
  ///
  /// - Throws: `SyntaxError` if the text exceeds `sizeLimit` or the size of the limits.
  public mutating func consume(_ chunk: Span<UInt8>) throws(SyntaxError) {
    guard case .collecting = state else { return }
    if let excess = totals.add(bytes: chunk.count, limits) { throw stop(atLimit: excess) }
    guard collected.count + chunk.count <= Self.sizeLimit else {
      throw stop(
        atLimit: Diagnostic(
          .error, .jsonLimit, at: SourcePosition(line: 1, column: 1),
          "expected at most \(Self.sizeLimit) bytes of JSON"))
    }
    collected.append(contentsOf: Array(copying: chunk))
  }

  /// Ends the text.
  public mutating func finish() {
    guard case .collecting = state else { return }
    // Parsers may ignore a byte order mark (RFC 8259 §8.1).
    if collected.starts(with: [0xEF, 0xBB, 0xBF]) { collected.removeFirst(3) }
    scanner = JSONScanner(collected)
    collected = []
    state = .start
  }

  /// Returns the next element, or nil at the end and until the text is complete.
  ///
  /// Reading ends at a limit; its diagnostic is the last element.
  public mutating func next() -> ReaderElement? {
    while nextElement == elements.count {
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      do throws(JSONError) {
        guard try advance() else { return nil }
      } catch {
        stop(at: error)
      }
    }
    let element = elements[nextElement]
    nextElement += 1
    guard limitError == nil, let excess = totals.add(element, limits) else { return element }
    _ = stop(atLimit: excess)
    return next()
  }

  /// Stops reading, so that the diagnostic of a limit is the last element.
  private mutating func stop(atLimit excess: Diagnostic) -> SyntaxError {
    state = .over
    (elements, nextElement) = ([.diagnostic(excess)], 0)
    let error = SyntaxError(excess)
    limitError = error
    return error
  }

  /// Advances by one step, and returns false if there is nothing to read.
  private mutating func advance() throws(JSONError) -> Bool {
    switch state {
    case .collecting, .over: return false
    case .start: try start()
    case .calendars(let isFirst):
      if try scanner.nextElement(isFirst: isFirst) {
        state = .calendars(isFirst: false)
        try calendar()
      } else {
        try end()
      }
    case .properties(let isFirst):
      if try scanner.nextElement(isFirst: isFirst) {
        state = .properties(isFirst: false)
        let node = try scanner.value(depth: 3)
        if let property = decoder.property(node) { elements.append(.property(property)) }
        takeProblems()
      } else {
        try scanner.expect(ASCII.comma, "\",\" and the components")
        try scanner.expect(UInt8(ascii: "["), "an array of components")
        state = .components(isFirst: true)
      }
    case .components(let isFirst):
      if try scanner.nextElement(isFirst: isFirst) {
        state = .components(isFirst: false)
        try component()
      } else {
        try scanner.expect(UInt8(ascii: "]"), "the end of the calendar")
        endCalendar(isComplete: true)
        if isStream { state = .calendars(isFirst: false) } else { try end() }
      }
    }
    return true
  }

  private mutating func start() throws(JSONError) {
    guard scanner.peek() == UInt8(ascii: "[") else {
      throw scanner.error(expected: "\"[\", with which jCal begins")
    }
    var look = scanner
    _ = look.skip(UInt8(ascii: "["))
    isStream = look.peek() != ASCII.quote
    if isStream {
      scanner = look
      state = .calendars(isFirst: true)
    } else {
      state = .over
      try calendar()
      if case .over = state { try end() }
    }
  }

  /// Begins a calendar, or reads any other value as a component.
  private mutating func calendar() throws(JSONError) {
    var look = scanner
    guard look.skip(UInt8(ascii: "[")), look.peek() == ASCII.quote else {
      return try component(isStray: true)
    }
    let position = scanner.positionOfNext
    guard try look.string().isEqualIgnoringASCIICase(to: "VCALENDAR") else {
      return try component(isStray: true)
    }
    try look.expect(ASCII.comma, "\",\" and the properties")
    try look.expect(UInt8(ascii: "["), "an array of properties")
    hasComponents = true
    elements.append(.calendarBegan(position, offset: scanner.index))
    scanner = look
    state = .properties(isFirst: true)
  }

  private mutating func component(isStray: Bool = false) throws(JSONError) {
    let node = try scanner.value(depth: 3)
    let components = decoder.components(node)
    for component in components {
      hasComponents = true
      if isStray {
        decoder.note(
          .error, .misplacedComponent, component.position ?? node.position,
          """
          expected \"vcalendar\", found \"\(component.name.rawName.asciiLowercased)\" outside of one
          """,
          "RFC 7265 §3.3")
      }
    }
    takeProblems()
    for component in components { elements.append(.component(component)) }
    if isStray { handOutCalendars() }
  }

  private mutating func endCalendar(isComplete: Bool) {
    elements.append(.calendarEnded(isComplete: isComplete, offset: scanner.index))
    handOutCalendars()
  }

  /// Returns the calendars that were nested in the element that just ended.
  private mutating func handOutCalendars() {
    for calendar in decoder.takeCalendars() {
      hasComponents = true
      elements.append(
        .calendarBegan(
          calendar.position ?? SourcePosition(line: 1, column: 1), offset: scanner.index))
      for property in calendar.properties { elements.append(.property(property)) }
      for component in calendar.components { elements.append(.component(component)) }
      elements.append(.calendarEnded(isComplete: true, offset: scanner.index))
    }
  }

  private mutating func end() throws(JSONError) {
    state = .over
    if !hasComponents {
      elements.append(
        .diagnostic(
          Diagnostic(
            .error, .noCalendar, at: SourcePosition(line: 1, column: 1),
            "expected an array that begins with \"vcalendar\", found none",
            reference: "RFC 7265 §3.3")))
    }
    try scanner.end()
  }

  /// Stops reading where the text is not valid JSON.
  private mutating func stop(at error: JSONError) {
    let isInCalendar =
      switch state {
      case .properties, .components: true
      default: false
      }
    state = .over
    elements.append(
      .diagnostic(
        Diagnostic(
          .error, error.reference == nil ? .jsonLimit : .malformedJSON, at: error.position,
          error.message, reference: error.reference, excerpt: scanner.excerpt(at: error.position))))
    if isInCalendar { endCalendar(isComplete: false) }
  }

  private mutating func takeProblems() {
    for problem in decoder.takeProblems() {
      elements.append(
        .diagnostic(
          Diagnostic(
            problem.severity, problem.code, at: problem.position, problem.message,
            reference: problem.reference, excerpt: scanner.excerpt(at: problem.position))))
    }
  }
}

extension CalendarStream {
  /// Parses a stream from jCal (RFC 7265).
  ///
  /// ```swift
  /// let stream = try CalendarStream(parsingJCal: bytes)
  /// let lines = Serializer().bytes(of: stream.calendars[0])
  /// ```
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(
    parsingJCal bytes: [UInt8], limits: ParserLimits = ParserLimits()
  ) throws(SyntaxError) {
    var reader = JCalReader(limits: limits)
    try reader.consume(bytes.span)
    reader.finish()
    var calendars: [Component] = []
    var strays = Component("")
    var diagnostics: [Diagnostic] = []
    var open: (properties: [Property], components: [Component], position: SourcePosition)?
    while let element = reader.next() {
      switch element {
      case .calendarBegan(let position, _): open = ([], [], position)
      case .property(let property): open?.properties.append(property)
      case .component(let component):
        if open == nil { strays.components.append(component) }
        open?.components.append(component)
      case .calendarEnded:
        if let open {
          calendars.append(
            Component(
              .calendar, properties: open.properties, components: open.components,
              position: open.position))
        }
        open = nil
      case .diagnostic(let diagnostic): diagnostics.append(diagnostic)
      }
    }
    if let error = reader.limitError { throw error }
    self.init(calendars: calendars, strays: strays, diagnostics: diagnostics)
  }
}
