// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import ICUServices
import ICalSyntax

/// Passes calendars from files to a writer, and reports problems.
struct Converter {
  /// The outcome of a conversion.
  struct Outcome {
    let status: ExitStatus
    /// The number of written components.
    let components: Int
  }

  /// The maximum number of diagnostics printed for a file; `epact check` prints all.
  private static let diagnosticLimit = 200

  private var writer: any CalendarWriter
  private let charset: CharsetChoice?
  /// The time zones for floating times if the calendar's declared zone applies, otherwise nil.
  private let zones: ZoneResolver?
  private let console: Console
  private var componentCount = 0
  private var calendarCount = 0
  private var hasFailures = false
  private var isOpen = false
  /// The number of lines of the current file that the format cannot represent.
  private var lostLineCount = 0
  private var diagnosticCount = 0

  init(
    to writer: any CalendarWriter, charset: CharsetChoice?, zones: ZoneResolver?, console: Console
  ) {
    self.zones = zones
    self.writer = writer
    self.charset = charset
    self.console = console
  }

  /// Reports that a file or a folder cannot be read.
  mutating func cannotRead(_ path: String, _ reason: String) {
    hasFailures = true
    console.complain(Failure(.nothingDone, "\(path): \(reason)"))
  }

  /// Converts a file.
  ///
  /// - Throws: An error that makes it impossible to continue; problems of the file are only
  ///   reported.
  mutating func take(_ source: InputFiles.Source, to sink: ([UInt8]) throws -> Void) throws {
    do {
      try convert(source, to: sink)
    } catch let error as SystemError {
      cannotRead(source.label, "\(error)")
    } catch let error as ICUError {
      cannotRead(source.label, error.message)
    }
    endCalendar()
  }

  /// Writes the end of the output if there was a calendar.
  mutating func finish(to sink: ([UInt8]) throws -> Void) throws -> Outcome {
    guard calendarCount > 0 else { return Outcome(status: .nothingDone, components: 0) }
    writer.finish()
    try sink(writer.takeBytes())
    return Outcome(status: hasFailures ? .someFailed : .done, components: componentCount)
  }

  private mutating func convert(
    _ source: InputFiles.Source, to sink: ([UInt8]) throws -> Void
  ) throws {
    var reading = try CalendarReading(source, charset: charset, zones: zones)
    if let charset = reading.charset { console.note("\(source.label): read as \(charset).") }
    var checker = CalendarChecker()
    let calendarsBefore = calendarCount
    lostLineCount = 0
    diagnosticCount = 0
    while let element = try reading.next() {
      for diagnostic in checker.check(element) { tell(diagnostic, in: source) }
      take(element)
      let bytes = writer.takeBytes()
      if !bytes.isEmpty, calendarCount > 0 { try sink(bytes) }
    }
    endCalendar()
    if calendarCount == calendarsBefore { cannotRead(source.label, "not a calendar") }
    tellWhatIsMissing(of: source)
  }

  private mutating func take(_ element: ReaderElement) {
    switch element {
    case .calendarBegan:
      endCalendar()
      begin()
    case .property(let property):
      count(property)
      if isOpen { writer.write(property) } else { lostLineCount += 1 }
    case .component(let component):
      // A component outside of a calendar gets a calendar of its own.
      if !isOpen { begin() }
      countLines(of: component)
      componentCount += component.name == .timeZone ? 0 : 1
      writer.write(component)
    case .calendarEnded: endCalendar()
    case .diagnostic: break
    }
  }

  private mutating func begin() {
    isOpen = true
    calendarCount += 1
    writer.begin()
  }

  private mutating func endCalendar() {
    if isOpen { writer.end() }
    isOpen = false
  }

  private mutating func count(_ property: Property) {
    if isOpen, !property.isWellFormed, !writer.keepsMalformedLines { lostLineCount += 1 }
  }

  private mutating func countLines(of component: Component) {
    for property in component.properties { count(property) }
    for nested in component.components { countLines(of: nested) }
  }

  private mutating func tell(_ diagnostic: Diagnostic, in source: InputFiles.Source) {
    let isAtLimit = diagnostic.code.rawValue.hasPrefix("limit.")
    if diagnostic.isStructural || diagnostic.code == .malformedJSON || isAtLimit {
      hasFailures = true
    }
    diagnosticCount += 1
    guard diagnosticCount <= Self.diagnosticLimit else { return }
    let text = DiagnosticText.of(diagnostic, path: source.label)
    if diagnostic.severity == .note { console.note(text) } else { console.report(text) }
  }

  private mutating func tellWhatIsMissing(of source: InputFiles.Source) {
    if diagnosticCount > Self.diagnosticLimit {
      let rest = Count(diagnosticCount - Self.diagnosticLimit, "more diagnostic")
      console.note("\(source.label): \(rest); to see all: \(SuggestedCommand.check(source.label))")
    }
    guard lostLineCount > 0, calendarCount > 0 else { return }
    hasFailures = true
    console.warn(
      "\(source.label): \(Count(lostLineCount, "line")) left out, which \(lostLineCount == 1 ? "has" : "have") no place in this form"
    )
  }
}
