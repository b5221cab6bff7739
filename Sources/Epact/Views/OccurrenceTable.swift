// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
public import CivilTime
import ICalSyntax

/// Writes occurrences as comma-separated values (RFC 4180), one row each, for a spreadsheet.
///
/// ```swift
/// let table = OccurrenceTable(in: berlin)
/// try sink(table.header)
/// for occurrence in view.occurrences() {
///   try sink(table.row(of: occurrence, calendar: view.calendar(ofSource: occurrence.source)))
/// }
/// ```
///
/// All times are those of one zone, so that rows can be sorted and subtracted. They have the form
/// `2026-11-24 09:00:00`, and days the form `2026-11-24`. The end is exclusive, as in
/// `Occurrence`; the end of a reminder is its due time.
public struct OccurrenceTable: Sendable {
  private let writer: CSVWriter
  private let viewer: ZoneRules

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - viewer: The time zone of all times.
  ///   - isSafe: Whether an apostrophe precedes text that a spreadsheet would take for a formula.
  public init(in viewer: ZoneRules, isSafe: Bool = true) {
    self.viewer = viewer
    writer = CSVWriter(isSafeForSpreadsheets: isSafe)
  }

  /// The names of the columns, in order.
  public static var columnNames: [String] {
    [
      "start", "end", "all_day", "summary", "location", "calendar", "status", "categories",
      "description", "url", "kind", "uid", "recurrence_id",
    ]
  }

  /// The header row, with its line break.
  public var header: [UInt8] {
    var bytes: [UInt8] = []
    writer.write(Self.columnNames, to: &bytes)
    return bytes
  }

  /// The row of an occurrence, with its line break.
  ///
  /// - Parameters:
  ///   - occurrence: The occurrence.
  ///   - calendar: The name of its calendar.
  /// - Returns: The bytes.
  public func row(of occurrence: Occurrence, calendar: String) -> [UInt8] {
    let summary = ComponentSummary(of: occurrence.component)
    var bytes: [UInt8] = []
    writer.write(
      [
        text(occurrence.start), text(occurrence.end), occurrence.isAllDay ? "true" : "false",
        summary.summary ?? "", summary.location ?? "", calendar, summary.status ?? "",
        summary.categories.joined(separator: ";"), summary.descriptionText ?? "",
        summary.url ?? "", summary.kind, occurrence.uid.rawValue,
        occurrence.recurrenceID.map(text) ?? "",
      ], to: &bytes)
    return bytes
  }

  /// A date, or a time in the zone of the table without its offset.
  private func text(_ time: OccurrenceTime) -> String {
    guard !time.time.isAllDay else { return time.rfc3339 }
    // "2026-11-24T09:00:00+01:00"
    return String(viewer.rfc3339(time.instant).prefix(19)).replacing("T", with: " ")
  }
}

extension CalendarView where Query == OccurrenceQuery {
  /// Writes the occurrences as comma-separated values (RFC 4180), after a header row.
  ///
  /// - Parameters:
  ///   - isSafe: Whether an apostrophe precedes text that a spreadsheet would take for a formula.
  ///   - hasHeader: Whether a header row is first.
  ///   - limit: The maximum number of rows.
  ///   - sink: The receiver of the bytes.
  /// - Returns: The number of rows, and the findings of the search.
  /// - Throws: Errors of the receiver; `CancellationError`.
  public func writeTable(
    isSafe: Bool = true, hasHeader: Bool = true, limit: Int = .max,
    to sink: ([UInt8]) throws -> Void
  ) throws -> (count: Int, findings: [OccurrenceFinding]) {
    let table = OccurrenceTable(in: request.viewer, isSafe: isSafe)
    if hasHeader { try sink(table.header) }
    return try write(limit: limit, to: sink) { occurrence in
      table.row(of: occurrence, calendar: calendar(ofSource: occurrence.source))
    }
  }

  /// Writes the occurrences as newline-delimited JSON, with columns of a fixed type.
  ///
  /// - Parameters:
  ///   - schema: The columns.
  ///   - limit: The maximum number of rows.
  ///   - sink: The receiver of the bytes.
  /// - Returns: The number of rows, and the findings of the search.
  /// - Throws: Errors of the receiver; `CancellationError`.
  public func writeRows(
    _ schema: RowSchema<OccurrenceRow>, limit: Int = .max, to sink: ([UInt8]) throws -> Void
  ) throws -> (count: Int, findings: [OccurrenceFinding]) {
    try write(limit: limit, to: sink) { occurrence in
      var row: [UInt8] = []
      let source = occurrence.source
      schema.write(
        OccurrenceRow(
          of: occurrence, in: file(ofSource: source), calendar: calendar(ofSource: source)),
        to: &row)
      return row
    }
  }

  /// Writes the occurrences as newline-delimited JSON, in the form of views.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of lines.
  ///   - sink: The receiver of the bytes.
  /// - Returns: The number of lines, and the findings of the search.
  /// - Throws: Errors of the receiver; `CancellationError`.
  package func writeLines(
    limit: Int = .max, to sink: ([UInt8]) throws -> Void
  ) throws -> (count: Int, findings: [OccurrenceFinding]) {
    try write(limit: limit, to: sink, \.jsonLine)
  }

  private func write(
    limit: Int, to sink: ([UInt8]) throws -> Void, _ bytes: (Occurrence) -> [UInt8]
  ) throws -> (count: Int, findings: [OccurrenceFinding]) {
    var iterator = occurrences().makeIterator()
    var count = 0
    while count < limit, let occurrence = iterator.next() {
      count += 1
      try sink(bytes(occurrence))
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    return (count, iterator.findings)
  }
}
