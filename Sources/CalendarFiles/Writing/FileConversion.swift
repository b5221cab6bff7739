// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Converts calendars from files to one output, as a stream.
///
/// ```swift
/// var conversion = FileConversion(to: .jCal) { event in print(event) }
/// try await conversion.convert(sources, cores: 4, to: sink)
/// ```
///
/// Problems of a file are reported, and do not prevent the others from being converted.
///
/// ## Topics
///
/// ### Converting
/// - ``init(to:options:report:)``
/// - ``convert(_:cores:to:)``
/// - ``convertAll(in:cores:to:)``
/// - ``outcome``
/// - ``componentCount``
///
/// ### File by file
/// - ``add(_:to:)``
/// - ``finish(to:)``
/// - ``take(_:)``
public struct FileConversion {
  /// A receiver of output.
  public typealias Sink = ([UInt8]) throws -> Void

  private let form: CalendarForm
  private var writer: any CalendarWriter
  /// The work on a part.
  private let converted: @Sendable (ConvertedParts.Part) -> ConvertedPart
  private let options: ReadingOptions
  private let report: (FileEvent) -> Void
  /// The number of converted components, without time zone definitions.
  public private(set) var componentCount = 0
  private var calendarCount = 0
  private var hasFailures = false
  /// Whether the files came from a list without a path.
  private var isEmptyList = false
  private var isOpen = false
  /// The time zones of a table; nil for a format with calendars.
  private var zones: TableZones?
  /// The state of the current file.
  private var file = FileState()

  /// The state of a file that is converted.
  private struct FileState {
    var checker = CalendarChecker()
    var budget = DiagnosticBudget()
    /// The number of lines that the format cannot represent.
    var omittedLineCount = 0
    /// The number of calendars before the file.
    var calendarsBefore = 0
  }

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
    self.form = form
    writer = form.makeWriter()
    let encode = form.makeEncoder()
    converted = { ConvertedPart($0, encode) }
    self.options = options
    self.report = report
    zones =
      form.distinguishesZones
      ? TableZones(zones: options.declaredZones ?? ZoneResolver()) : nil
  }

  /// How much was converted so far.
  public var outcome: FileOutcome {
    if isEmptyList { return .complete }
    if calendarCount == 0 { return .nothing }
    return hasFailures ? .partial : .complete
  }

  /// Converts files on several cores, and writes the end of the output.
  ///
  /// The output is the same as on one core, and memory does not depend on the length of the files:
  /// large files are read twice where the format needs to know what is at their end.
  ///
  /// - Parameters:
  ///   - sources: All files.
  ///   - cores: The number of cores.
  ///   - sink: Receives the output.
  /// - Throws: Errors of the sink; `FileError` if a file changed while it was read;
  ///   `CancellationError`.
  public mutating func convert(
    _ sources: [FileSource], cores: Int, to sink: Sink
  ) async throws {
    if form == .jCal, let outline = try JCalOutline(of: sources, options: options) {
      writer = form.makeWriter(outline: outline)
    }
    for source in sources { try await convertFile(source, cores: cores, to: sink) }
    try finish(to: sink)
    guard writer.isConsistent else {
      throw FileError(
        .changed, sources.map(\.label).joined(separator: ", "),
        "expected files that stay the same, found one that has changed")
    }
  }

  /// Converts the files of a list on several cores, and writes the end of the output.
  ///
  /// Neither the list nor the output is held in memory; for jCal, a calendar of the files is. A list
  /// without a path is complete.
  ///
  /// - Parameters:
  ///   - list: The paths of the files.
  ///   - cores: The number of cores.
  ///   - sink: Receives the output.
  /// - Throws: Errors of the sink; `FileError` if the list cannot be read; `CancellationError`.
  public mutating func convertAll(
    in list: inout FileList, cores: Int, to sink: Sink
  ) async throws {
    var events: [FileEvent] = []
    while let sources = try list.nextSources({ events.append($0) }) {
      for event in events { take(event) }
      events = []
      for source in sources { try await convertFile(source, cores: cores, to: sink) }
    }
    for event in events { take(event) }
    isEmptyList = list.count == 0
    try finish(to: sink)
  }

  private mutating func convertFile(
    _ source: FileSource, cores: Int, to sink: Sink
  ) async throws {
    do {
      var parts = try begin(source)
      defer { zones = parts.zones }
      try await OrderedTasks(onCores: cores, converted).run {
        try parts.next()
      } _: { _, part in
        try take(part, of: source, to: sink)
      }
      end(source)
    } catch {
      take(try source.event(for: error))
    }
    endCalendar()
  }

  /// Converts a file.
  ///
  /// - Throws: Errors of the sink; `CancellationError`.
  public mutating func add(_ source: FileSource, to sink: Sink) throws {
    let event = try source.unreadable {
      var parts = try begin(source)
      defer { zones = parts.zones }
      while let part = try parts.next() { try take(converted(part), of: source, to: sink) }
      end(source)
    }
    if let event { take(event) }
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
}

// MARK: A file

extension FileConversion {
  private mutating func begin(_ source: FileSource) throws -> ConvertedParts {
    let parts = try ConvertedParts(of: source, options: options, zones: zones)
    if let charset = parts.charset { report(.decoded(path: source.label, charset: charset)) }
    file = FileState()
    file.calendarsBefore = calendarCount
    return parts
  }

  private mutating func end(_ source: FileSource) {
    let path = source.label
    endCalendar()
    if calendarCount == file.calendarsBefore { take(.notCalendar(path: path)) }
    if let event = file.budget.rest(path: path) { take(event) }
    if file.omittedLineCount > 0, calendarCount > 0 {
      take(.omittedLines(path: path, count: file.omittedLineCount))
    }
  }

  private mutating func take(
    _ part: ConvertedPart, of source: FileSource, to sink: Sink
  ) throws {
    for element in part.examined {
      for diagnostic in file.checker.take(element) {
        if diagnostic.losesContents { hasFailures = true }
        guard file.budget.admits() else { continue }
        let isKept = writer.keepsMalformedLines
        report(
          .diagnostic(path: source.label, isKept ? diagnostic : diagnostic.aboutLosses))
      }
    }
    for piece in part.pieces { take(piece) }
    guard calendarCount > 0 else { return }
    let bytes = writer.takeBytes()
    if !bytes.isEmpty { try sink(bytes) }
  }

  private mutating func take(_ piece: ConvertedPart.Piece) {
    switch piece {
    case .calendarBegan:
      endCalendar()
      begin()
    case .property(let property):
      guard isOpen else { return file.omittedLineCount += 1 }
      if !property.isWellFormed, !writer.keepsMalformedLines { file.omittedLineCount += 1 }
      writer.write(property)
    case .components(let run):
      // A component outside of a calendar gets a calendar of its own.
      if !isOpen { begin() }
      if !writer.keepsMalformedLines { file.omittedLineCount += run.malformedLineCount }
      componentCount += run.count
      writer.write(encoded: run.bytes)
    case .calendarEnded: endCalendar()
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
}

extension Diagnostic {
  /// The diagnostic for a format that cannot hold the bytes and lines that the reader keeps.
  fileprivate var aboutLosses: Diagnostic {
    guard code == .invalidUTF8 || code == .malformedLine else { return self }
    let message =
      message.replacing("the bytes are kept", with: "each such byte becomes U+FFFD")
      .replacing("the line is kept as it is", with: "the line is omitted")
    return Diagnostic(
      severity, code, at: position, message, reference: reference, excerpt: excerpt, fix: fix)
  }
}
