// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Says all that is wrong with a file, as `epact check` does: its lines, their structure, and its
/// calendars.
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
  /// Whether a limit was reached; what comes after is not read.
  private var isOver = false

  /// Creates a checker at the start of a file.
  ///
  /// - Parameters:
  ///   - limits: How much is taken from the file.
  ///   - now: The present time in UTC, for fixes that need it.
  public init(limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil) {
    reader = ComponentReader(limits: limits)
    calendars = CalendarChecker(now: now)
  }

  /// Takes the next bytes of the file, and says what is wrong with what they complete.
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

  /// Says what is wrong at the end of the file, and with its lines as a whole.
  public mutating func finish() -> [Diagnostic] {
    if !isOver {
      // The limit that is reached is among the elements too.
      do throws(SyntaxError) { try reader.finish() } catch { isOver = true }
    }
    var found = drain()
    // Of a file that is no calendar nothing else need be told.
    if hasCalendar { found += lines.finish() }
    return found
  }

  /// All that is wrong with the bytes of a file, in order of place.
  public static func diagnostics(
    for bytes: Span<UInt8>, limits: ParserLimits = ParserLimits(), now: CivilDateTime? = nil
  ) -> [Diagnostic] {
    var checker = FileChecker(limits: limits, now: now)
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
      found += calendars.check(element)
    }
    return found
  }
}
