// SPDX-License-Identifier: Apache-2.0

import Epact
import ICalSyntax

/// The counts of a file's contents, which every pass of a measurement has to reproduce.
struct ParseCounts: Hashable, Sendable {
  /// The size of the file, in bytes.
  let bytes: Int
  /// The number of VCALENDAR components.
  private(set) var calendars = 0
  /// The number of components inside them, including nested ones.
  private(set) var components = 0
  /// The number of properties of all components.
  private(set) var properties = 0
  /// The number of diagnostics.
  private(set) var diagnostics = 0

  /// Parses a file in chunks and counts its contents.
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
