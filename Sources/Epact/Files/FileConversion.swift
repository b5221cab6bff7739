// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Converts calendars from files to one output, as a stream.
///
/// ```swift
/// var conversion = FileConversion(to: .jcal) { event in … }
/// for source in sources { try conversion.add(source, to: sink) }
/// try conversion.finish(to: sink)
/// ```
///
/// Problems of a file are reported, and do not prevent the others from being converted.
public struct FileConversion {
  /// A receiver of output.
  public typealias Sink = ([UInt8]) throws -> Void

  private var writer: any CalendarWriter
  private let options: ReadingOptions
  private let report: (FileEvent) -> Void
  /// The number of converted components, without time zone definitions.
  public private(set) var componentCount = 0
  private var calendarCount = 0
  private var hasFailures = false
  private var isOpen = false
  /// The number of lines of the current file that the format cannot represent.
  private var omittedLineCount = 0

  /// Creates a conversion.
  ///
  /// - Parameters:
  ///   - form: The output format.
  ///   - options: The choices for reading.
  ///   - report: Receives the events of the files.
  public init(
    to form: CalendarForm, options: ReadingOptions = ReadingOptions(),
    report: @escaping (FileEvent) -> Void
  ) {
    writer = form.makeWriter()
    self.options = options
    self.report = report
  }

  /// How much was converted so far.
  public var outcome: FileOutcome {
    if calendarCount == 0 { return .nothing }
    return hasFailures ? .partial : .complete
  }

  /// Converts a file.
  ///
  /// - Throws: Errors of the sink; `CancellationError`.
  public mutating func add(_ source: FileSource, to sink: Sink) throws {
    if let event = try source.unreadable({ try convert(source, to: sink) }) { take(event) }
    endCalendar()
  }

  /// Writes the end of the output if there was a calendar.
  ///
  /// - Throws: Errors of the sink.
  public mutating func finish(to sink: Sink) throws {
    guard calendarCount > 0 else { return }
    writer.finish()
    try sink(writer.takeBytes())
  }

  /// Reports an event, which may be one of the search for files.
  public mutating func take(_ event: FileEvent) {
    if event.isFailure { hasFailures = true }
    report(event)
  }

  private mutating func convert(_ source: FileSource, to sink: Sink) throws {
    let path = source.label
    var reader = try CalendarReader(source, options: options)
    if let charset = reader.charset { report(.decoded(path: path, charset: charset)) }
    var checker = CalendarChecker()
    var budget = DiagnosticBudget()
    let calendarsBefore = calendarCount
    omittedLineCount = 0
    while let element = try reader.next() {
      for diagnostic in checker.check(element) {
        if diagnostic.losesContents { hasFailures = true }
        if budget.admits() { report(.diagnostic(path: path, diagnostic)) }
      }
      take(element)
      let bytes = writer.takeBytes()
      if !bytes.isEmpty, calendarCount > 0 { try sink(bytes) }
    }
    endCalendar()
    if calendarCount == calendarsBefore { take(.notCalendar(path: path)) }
    if let event = budget.rest(path: path) { take(event) }
    if omittedLineCount > 0, calendarCount > 0 {
      take(.omittedLines(path: path, count: omittedLineCount))
    }
  }

  private mutating func take(_ element: ReaderElement) {
    switch element {
    case .calendarBegan:
      endCalendar()
      begin()
    case .property(let property):
      count(property)
      if isOpen { writer.write(property) } else { omittedLineCount += 1 }
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
    if isOpen, !property.isWellFormed, !writer.keepsMalformedLines { omittedLineCount += 1 }
  }

  private mutating func countLines(of component: Component) {
    for property in component.properties { count(property) }
    for nested in component.components { countLines(of: nested) }
  }
}
