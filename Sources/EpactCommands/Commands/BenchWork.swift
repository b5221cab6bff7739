// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

/// Work measured by `epact bench`: the rows of `Benchmarks`, applied to the user's file.
enum BenchWork: String, CaseIterable, Sendable {
  case lines
  case stream
  case tree
  case cores
  case typed
  case model
  case untouched

  /// A description of the work for the text output.
  var summary: String {
    switch self {
    case .lines: "unfold and split every line"
    case .stream: "component by component, in chunks of 64 KiB"
    case .tree: "the whole file as a tree of components"
    case .cores: "the same on all cores"
    case .typed: "the tree, and every value as its type"
    case .model: "the tree, and every event, reminder and journal entry"
    case .untouched: "the tree, and its bytes as they were"
    }
  }

  /// Does the work once.
  ///
  /// - Returns: A number that is the same in every pass over the same bytes.
  /// - Throws: `SyntaxError` if a limit is reached.
  func pass(over bytes: [UInt8], cores: Int) async throws -> Int {
    switch self {
    case .lines: try Self.lines(of: bytes)
    case .stream: try ParseCounts(parsing: bytes).hashValue
    case .tree: try CalendarStream(parsing: bytes).componentCount
    case .cores: try await CalendarStream(parsing: bytes, inParallel: cores).componentCount
    case .typed: try CalendarStream(parsing: bytes).valueCount
    case .model: try CalendarStream(parsing: bytes).summaryLength
    case .untouched: try CalendarStream(parsing: bytes).writtenCount
    }
  }

  private static func lines(of bytes: [UInt8]) throws(SyntaxError) -> Int {
    var counter = LineCounter()
    var reader = ContentLineReader()
    try reader.consume(bytes.span, into: &counter)
    try reader.finish(into: &counter)
    return counter.count
  }
}

/// Counts lines and the bytes of their values.
private struct LineCounter: ContentLineHandler {
  var count = 0

  mutating func take(_ line: ContentLine, _ text: Span<UInt8>) { count &+= 1 + line.value.count }

  mutating func take(_ diagnostic: Diagnostic) { count &+= 1 }
}

extension CalendarStream {
  fileprivate var componentCount: Int {
    calendars.reduce(0) { $0 + 1 + $1.components.count }
  }

  fileprivate var valueCount: Int {
    func count(_ component: Component) -> Int {
      var values = 0
      for property in component.properties { values += property.typedValues.values.count }
      for nested in component.components { values += count(nested) }
      return values
    }
    return calendars.reduce(0) { $0 + count($1) }
  }

  fileprivate var summaryLength: Int {
    var length = 0
    for calendar in calendars {
      for component in calendar.components {
        switch component.name {
        case .event: length += Event(component).summary?.utf8.count ?? 1
        case .reminder: length += Reminder(component).summary?.utf8.count ?? 1
        case .journal: length += Journal(component).summary?.utf8.count ?? 1
        default: break
        }
      }
    }
    return length
  }

  fileprivate var writtenCount: Int {
    let serializer = Serializer()
    return calendars.reduce(0) { $0 + serializer.bytes(of: $1).count }
  }
}
