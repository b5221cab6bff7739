// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What is in a file, counted: the answer that every pass of a measurement has to give.
struct ParseCounts: Hashable, Sendable {
  /// The bytes of the file.
  let bytes: Int
  /// The VCALENDAR components.
  private(set) var calendars = 0
  /// The components inside of them, those nested in others too.
  private(set) var components = 0
  /// The properties of all components.
  private(set) var properties = 0
  /// What there is to say about the file.
  private(set) var diagnostics = 0

  /// Parses a file in chunks and counts what is in it.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes.count
    var reader = ComponentReader()
    var start = 0
    while start < bytes.count {
      let end = min(start + InputStream.chunkSize, bytes.count)
      try reader.consume(bytes.span.extracting(start..<end))
      while let element = reader.next() { count(element) }
      start = end
    }
    try reader.finish()
    while let element = reader.next() { count(element) }
  }

  private mutating func count(_ element: ReaderElement) {
    switch element {
    case .calendarBegan: calendars += 1
    case .property: properties += 1
    case .component(let component): count(component)
    case .calendarEnded: break
    case .diagnostic: diagnostics += 1
    }
  }

  private mutating func count(_ component: Component) {
    components += 1
    properties += component.properties.count
    for nested in component.components { count(nested) }
  }
}
