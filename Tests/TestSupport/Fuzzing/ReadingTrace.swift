// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Everything that a reader tells of a stream, positions and own bytes included.
///
/// Equality of components looks at what they say; two traces are equal only if also every position is
/// the same and every component is written back with the same bytes.
public struct ReadingTrace: Hashable, Sendable {
  /// The elements, in order.
  public private(set) var elements: [ReaderElement] = []
  /// Where the properties and components lie, in the order in which they came.
  public private(set) var positions: [SourcePosition?] = []
  /// How many of the positions are those of components.
  public private(set) var componentCount = 0
  /// The components and properties, as they are written back.
  public private(set) var written: [[UInt8]] = []
  /// The limit that ended the reading.
  public private(set) var error: SyntaxError?

  /// Reads a stream whose chunks end at these indices; the last chunk goes to the end.
  public init(
    reading bytes: [UInt8], cutAt cuts: [Int] = [], limits: ParserLimits = ParserLimits()
  ) {
    var reader = ComponentReader(limits: limits)
    do throws(SyntaxError) {
      var start = 0
      for end in cuts + [bytes.count] {
        try reader.consume(bytes.span.extracting(start..<end))
        while let element = reader.next() { note(element) }
        start = end
      }
      try reader.finish()
    } catch {
      self.error = error
    }
    while let element = reader.next() { note(element) }
  }

  /// The diagnostics, in the order in which they came.
  public var diagnostics: [Diagnostic] {
    elements.compactMap { if case .diagnostic(let diagnostic) = $0 { diagnostic } else { nil } }
  }

  /// What `CalendarChecker` says, in the order in which it says it.
  public var findings: [Diagnostic] {
    var checker = CalendarChecker()
    return elements.flatMap { checker.check($0) }
  }

  private mutating func note(_ element: ReaderElement) {
    elements.append(element)
    switch element {
    case .property(let property):
      positions.append(property.position)
      var bytes: [UInt8] = []
      Serializer().write(property, to: &bytes)
      written.append(bytes)
    case .component(let component):
      notePositions(of: component)
      written.append(Serializer().bytes(of: component))
    case .calendarBegan, .calendarEnded, .diagnostic: break
    }
  }

  private mutating func notePositions(of component: Component) {
    positions.append(component.position)
    componentCount += 1
    for property in component.properties { positions.append(property.position) }
    for nested in component.components { notePositions(of: nested) }
  }
}
