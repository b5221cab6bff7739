// SPDX-License-Identifier: Apache-2.0

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
    self.init(calendars: calendars, strays: strays, diagnostics: diagnostics)
  }
}
