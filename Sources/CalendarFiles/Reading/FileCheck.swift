// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The problems of a file: of its lines, its structure and its values.
///
/// The file is read as a stream, in any format. Fixes are offered only for iCalendar text, because
/// they edit its lines.
public struct FileCheck: Sendable {
  /// The maximum number of diagnostics that are kept.
  private static let limit = 100_000

  /// The diagnostics in order of their positions, at most 100,000.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The number of diagnostics of each severity, including those that were not kept.
  public private(set) var counts: [Diagnostic.Severity: Int] = [:]
  /// The number of diagnostics with a safe fix.
  public private(set) var fixCount = 0
  private var totals = StreamTotals()
  /// Whether the limit of diagnostics was reached; the rest of the file is not checked.
  private var isOver = false

  /// Checks a file.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - charset: The charset of the file.
  ///   - limits: The limits of the parser, such as `ParserLimits.upload`. The check ends at a
  ///     limit, which is one of the diagnostics.
  ///   - now: The current time; nil to skip the checks of stamps in the future.
  /// - Throws: `FileError` if the file cannot be read; `CancellationError`.
  public init(
    of source: FileSource, charset: CharsetChoice = .utf8, limits: ParserLimits = ParserLimits(),
    now: Instant?
  ) throws {
    try source.reporting {
      let options = ReadingOptions(charset: charset, limits: limits)
      var parts = try CheckedParts(of: source, options, now: Self.wallTime(now))
      var checker = CalendarChecker(now: Self.wallTime(now))
      while !isOver, let part = try parts.next() {
        take(CheckedParts.examined(part), &checker, limits)
      }
      if !isOver { add(parts.lineDiagnostics(), limits) }
    }
    diagnostics.sort { $0.position < $1.position }
  }

  /// Checks a file on several cores, with the same result as on one.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - charset: The charset of the file.
  ///   - limits: The limits of the parser, such as `ParserLimits.upload`. The check ends at a
  ///     limit, which is one of the diagnostics.
  ///   - now: The current time; nil to skip the checks of stamps in the future.
  ///   - cores: The number of cores.
  /// - Throws: `FileError` if the file cannot be read; `CancellationError`.
  public init(
    of source: FileSource, charset: CharsetChoice = .utf8, limits: ParserLimits = ParserLimits(),
    now: Instant?, cores: Int
  ) async throws {
    do {
      let options = ReadingOptions(charset: charset, limits: limits)
      var parts = try CheckedParts(of: source, options, now: Self.wallTime(now))
      var checker = CalendarChecker(now: Self.wallTime(now))
      let work = OrderedTasks(onCores: cores, CheckedParts.examined)
      try await work.run {
        try isOver ? nil : parts.next()
      } _: { _, part in
        take(part, &checker, limits)
      }
      if !isOver { add(parts.lineDiagnostics(), limits) }
    } catch {
      throw source.named(error)
    }
    diagnostics.sort { $0.position < $1.position }
  }

  private mutating func take(
    _ part: ExaminedPart, _ checker: inout CalendarChecker, _ limits: ParserLimits
  ) {
    for element in part.elements where !isOver {
      let diagnostics = checker.take(element)
      if diagnostics.isEmpty { continue }
      add(part.isTranslated ? diagnostics.map { $0.with(nil) } : diagnostics, limits)
    }
  }

  /// Adds a diagnostic that the file alone does not have, before the others at its position.
  package mutating func add(_ diagnostic: Diagnostic) {
    counts[diagnostic.severity, default: 0] += 1
    let place = diagnostics.firstIndex { $0.position >= diagnostic.position }
    diagnostics.insert(diagnostic, at: place ?? diagnostics.endIndex)
  }

  private mutating func add(_ diagnostics: [Diagnostic], _ limits: ParserLimits) {
    for found in diagnostics where !isOver {
      let excess = totals.add(diagnosticAt: found.position, limits)
      isOver = excess != nil
      let diagnostic = excess ?? found
      counts[diagnostic.severity, default: 0] += 1
      if diagnostic.fix?.isSafe == true { fixCount += 1 }
      if self.diagnostics.count < Self.limit { self.diagnostics.append(diagnostic) }
    }
  }

  fileprivate static func wallTime(_ now: Instant?) -> CivilDateTime? {
    now.flatMap { CivilDateTime(wallSeconds: $0.secondsSinceEpoch) }
  }
}

/// The elements of a part of a file, after they were examined.
private struct ExaminedPart: Sendable {
  let elements: [ExaminedElement]
  /// Whether the file is not iCalendar text.
  let isTranslated: Bool
}

/// The parts of a file that is checked.
///
/// It cannot be copied, because two copies would each read half of the file.
private struct CheckedParts: ~Copyable {
  /// The elements of a part, with the state of the stream before them.
  struct Part: Sendable {
    let elements: [ReaderElement]
    let examiner: ElementExaminer
    let isTranslated: Bool
  }

  /// The work on a part.
  static func examined(_ part: Part) -> ExaminedPart {
    var examiner = part.examiner
    return ExaminedPart(
      elements: part.elements.map { examiner.examine($0) }, isTranslated: part.isTranslated)
  }

  private var reader: CalendarReader
  private var examiner: ElementExaminer

  init(of source: FileSource, _ options: ReadingOptions, now: CivilDateTime?) throws {
    reader = try CalendarReader(source, options: options, checksLines: true)
    examiner = ElementExaminer(now: now)
  }

  mutating func next() throws -> Part? {
    guard let elements = try reader.nextBatch() else { return nil }
    let part = Part(elements: elements, examiner: examiner, isTranslated: reader.isTranslated)
    for element in elements { examiner.skip(element) }
    return part
  }

  mutating func lineDiagnostics() -> [Diagnostic] { reader.lineDiagnostics() }
}

extension FileSource {
  /// The maximum size of a file that is repaired, in bytes; the whole file is held in memory.
  private static let repairLimit = 256 << 20

  /// Repairs what can be repaired without guessing; changes no file.
  ///
  /// - Parameters:
  ///   - limits: The limits of the parser; if one is reached, nothing is repaired.
  ///   - now: The current time; nil to skip the checks of stamps in the future.
  ///   - zones: The time zones, for times with a TZID that must be in UTC.
  /// - Returns: The repaired text, the applied fixes and the remaining diagnostics.
  /// - Throws: `FileError` if the file cannot be read, has another format than iCalendar, or is
  ///   larger than 256 MiB; `CancellationError`.
  public func repaired(
    limits: ParserLimits = ParserLimits(), now: Instant?, zones: ZoneDatabase? = .system
  ) throws -> FileRepair {
    let bytes = try bytes(limit: Self.repairLimit, "larger than the limit of 256 MiB")
    guard FileForm(of: bytes) == .iCalendar else {
      throw FileError(.otherForm, label, "not iCalendar, so it is not repaired")
    }
    return FileRepair(of: bytes, limits: limits, now: FileCheck.wallTime(now), zones: zones)
  }
}
