// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Checks a whole file, as `epact check` does: its lines, their structure and its calendars.
///
/// ```swift
/// var checker = FileChecker()
/// var diagnostics = checker.consume(chunk.span)
/// diagnostics += checker.finish()
/// ```
///
/// It cannot be copied, because two copies would each have read half of a line.
public struct FileChecker: ~Copyable {
  private var reader: ComponentReader
  private var calendars: CalendarChecker
  private var lines = LineChecker()
  private var hasCalendar = false
  private let limits: ParserLimits
  private var totals = StreamTotals()
  /// Whether a limit was reached; the rest of the file is not read.
  private var isOver = false

  /// Creates a checker at the start of a file.
  ///
  /// - Parameters:
  ///   - limits: The limits for reading the file.
  ///   - now: The current time in UTC, for fixes that need it.
  ///   - zones: The time zones, for fixes that need them.
  public init(
    limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil, zones: ZoneDatabase? = nil
  ) {
    self.limits = limits
    reader = ComponentReader(limits: limits)
    calendars = CalendarChecker(now: now, zones: zones)
  }

  /// Reads the next bytes of the file, and returns the diagnostics for the completed elements.
  public mutating func consume(_ bytes: Span<UInt8>) -> [Diagnostic] {
    guard !isOver else { return [] }
    lines.consume(bytes)
    do throws(SyntaxError) {
      try reader.consume(bytes)
    } catch {
      isOver = true
    }
    return drain()
  }

  /// Ends the file, and returns the remaining diagnostics and those about its lines.
  public mutating func finish() -> [Diagnostic] {
    if !isOver {
      // The reader also returns the limit error as an element.
      do throws(SyntaxError) { try reader.finish() } catch { isOver = true }
    }
    guard !isOver || limits.diagnostics == nil else { return [] }
    var found = drain()
    // For a file that is not a calendar, line lengths are irrelevant.
    if hasCalendar { found += lines.finish() }
    return found
  }

  /// Returns all diagnostics for the bytes of a file, ordered by position.
  public static func diagnostics(
    for bytes: Span<UInt8>, limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil,
    zones: ZoneDatabase? = nil
  ) -> [Diagnostic] {
    var checker = FileChecker(limits: limits, now: now, zones: zones)
    var found = checker.consume(bytes)
    found += checker.finish()
    return found.sorted { $0.position < $1.position }
  }

  private mutating func drain() -> [Diagnostic] {
    var found: [Diagnostic] = []
    while let element = reader.next() {
      switch element {
      case .calendarBegan, .component: hasCalendar = true
      default: break
      }
      for diagnostic in calendars.check(element) {
        if let excess = totals.add(diagnosticAt: diagnostic.position, limits) {
          isOver = true
          return found + [excess]
        }
        found.append(diagnostic)
      }
    }
    return found
  }
}

/// Checks whether lines exceed the recommended length (RFC 5545 §3.1).
///
/// A file usually has the same line length throughout, so there is one diagnostic, at the first
/// long line.
public struct LineChecker: Sendable {
  /// The maximum number of octets in a line, without its line break.
  private static let lengthLimit = 75

  private var line = 1
  /// The number of octets in the current line so far.
  private var length = 0
  private var endsInCR = false
  private var first: SourcePosition?
  private var total = 0

  /// Creates a checker at the start of a file.
  public init() {}

  /// Reads the next bytes of the file.
  public mutating func consume(_ bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      let lineFeed = bytes.firstLineFeed(from: start, to: bytes.count)
      let segment = bytes.extracting(start..<lineFeed)
      let next = min(lineFeed + 1, bytes.count)
      switch segment.firstIndex(of: ASCII.carriageReturn) {
      case nil where lineFeed < bytes.count && lineFeed > start:
        length += segment.count
        endLine()
        endsInCR = false
      case (segment.count - 1)? where lineFeed < bytes.count:
        length += segment.count - 1
        endLine()
        endsInCR = false
      default: consumeBytewise(bytes.extracting(start..<next))
      }
      start = next
    }
  }

  /// Reads bytes in which a CR may be anywhere.
  private mutating func consumeBytewise(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      // The preceding CR already ended the line.
      case ASCII.lineFeed where endsInCR: break
      case ASCII.lineFeed, ASCII.carriageReturn: endLine()
      default: length += 1
      }
      endsInCR = byte == ASCII.carriageReturn
    }
  }

  /// Returns the diagnostics at the end of the file.
  public mutating func finish() -> [Diagnostic] {
    endLine()
    guard let first else { return [] }
    let lines = total == 1 ? "a longer one" : "\(total) longer ones"
    return [
      Diagnostic(
        .note, .longLine, at: first,
        "expected lines of at most \(Self.lengthLimit) octets, found \(lines)",
        reference: "RFC 5545 §3.1", fix: Fix("fold long lines", .foldLines))
    ]
  }

  private mutating func endLine() {
    if length > Self.lengthLimit {
      total += 1
      if first == nil { first = SourcePosition(line: line, column: Self.lengthLimit + 1) }
    }
    line += 1
    length = 0
  }
}
