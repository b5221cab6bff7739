// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import CalendarModel
import ICalSyntax

/// A measurement of how fast a file is parsed on this machine.
///
/// The file is in memory, and the same work is done again and again, after a warm-up that does not
/// count. Every pass has to find the same contents.
package struct ParsingBenchmark: Sendable {
  /// The maximum size of the file, in bytes.
  private static let sizeLimit = 1 << 30
  /// The minimum duration of a run, in seconds; a run parses a small file several times.
  private static let runTime = 0.1

  /// The measurements of one kind of work.
  package struct Figure: Sendable {
    package let work: ParsingWork
    /// The duration of one pass in each run, in seconds.
    package let seconds: [Double]
    /// The number of passes in a run.
    package let passes: Int

    /// The median duration of a pass, in seconds.
    package var median: Double {
      let sorted = seconds.sorted()
      guard !sorted.isEmpty else { return .nan }
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    package var fastest: Double { seconds.min() ?? .nan }
    package var slowest: Double { seconds.max() ?? .nan }
  }

  /// The counts of the file's contents.
  package let counts: ParseCounts
  private let bytes: [UInt8]
  private let cores: Int
  private let stopwatch: @Sendable () -> Double

  /// Reads a file.
  ///
  /// - Throws: `EpactError` if the file cannot be read or has no component; `SyntaxError` if a
  ///   limit is reached.
  package init(of source: FileSource, cores: Int, stopwatch: @escaping @Sendable () -> Double)
    throws
  {
    bytes = try source.bytes(limit: Self.sizeLimit, "larger than 1 GiB")
    counts = try ParseCounts(parsing: bytes)
    self.cores = cores
    self.stopwatch = stopwatch
    guard counts.components > 0 else {
      throw EpactError(.failed, "\(source.label): no component to measure", subject: source.label)
    }
  }

  /// Measures one kind of work.
  ///
  /// - Throws: `EpactError` if two passes find different contents; `CancellationError`.
  package func measure(_ work: ParsingWork, runs: Int) async throws -> Figure {
    let warmUp = stopwatch()
    let expected = try await work.pass(over: bytes, cores: cores)
    let passes = max(1, Int((Self.runTime / max(stopwatch() - warmUp, 1e-6)).rounded(.up)))
    var seconds: [Double] = []
    for _ in 0..<runs {
      try Task.checkCancellation()
      let start = stopwatch()
      for _ in 0..<passes {
        guard try await work.pass(over: bytes, cores: cores) == expected else {
          throw EpactError(.failed, "two passes over the same bytes found different contents")
        }
      }
      seconds.append((stopwatch() - start) / Double(passes))
    }
    return Figure(work: work, seconds: seconds, passes: passes)
  }
}

/// The counts of a file's contents, which every pass of a measurement has to reproduce.
package struct ParseCounts: Hashable, Sendable {
  /// The size of the file, in bytes.
  package let bytes: Int
  /// The number of VCALENDAR components.
  package private(set) var calendars = 0
  /// The number of components inside them, including nested ones.
  package private(set) var components = 0
  /// The number of properties of all components.
  package private(set) var properties = 0
  /// The number of diagnostics.
  package private(set) var diagnostics = 0

  /// Parses a file in chunks and counts its contents.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  fileprivate init(parsing bytes: [UInt8]) throws(SyntaxError) {
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

/// Work that is measured: the rows of `Benchmarks`, applied to the user's file.
package enum ParsingWork: String, CaseIterable, Sendable {
  case lines
  case stream
  case tree
  case cores
  case typed
  case model
  case untouched

  /// A description of the work.
  package var summary: String {
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
  fileprivate func pass(over bytes: [UInt8], cores: Int) async throws -> Int {
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
