// SPDX-License-Identifier: Apache-2.0

/// Writes components as comma-separated values (RFC 4180), one row each.
///
/// The article <doc:OtherForms> lists the columns. The elements of a list are separated by
/// semicolons. Data without a column is omitted.
public struct CSVWriter: Hashable, Sendable {
  /// Whether values that a spreadsheet would evaluate as formulas are prefixed with an apostrophe.
  ///
  /// Default: true. A value with a sign of a duration, such as `-PT15M`, is no formula.
  public var isSafeForSpreadsheets: Bool

  /// Creates a writer.
  public init(isSafeForSpreadsheets: Bool = true) {
    self.isSafeForSpreadsheets = isSafeForSpreadsheets
  }

  /// The columns in order: a name and the value.
  private static let columns: [(name: String, value: @Sendable (ComponentSummary) -> String?)] = [
    ("kind", { $0.kind }),
    ("uid", { $0.uid }),
    ("recurrence_id", { $0.recurrenceID }),
    ("start", { $0.start }),
    ("end", { $0.end }),
    ("all_day", { $0.isAllDay ? "true" : "false" }),
    ("zone", { $0.zone }),
    ("end_zone", { $0.endZone }),
    ("duration", { $0.duration }),
    ("summary", { $0.summary }),
    ("description", { $0.descriptionText }),
    ("location", { $0.location }),
    ("url", { $0.url }),
    ("status", { $0.status }),
    ("categories", { list($0.categories) }),
    ("organizer", { $0.organizer?.plainAddress }),
    ("attendees", { list($0.attendees.map(\.plainAddress)) }),
    ("rrule", { list($0.rules) }),
    ("rdate", { list($0.additionalDates) }),
    ("exdate", { list($0.exceptionDates) }),
    ("alarms", { list($0.alarms.map { $0[.trigger]?.rawValue ?? "" }) }),
    ("sequence", { $0.sequence.map(String.init) }),
    ("created", { $0.created }),
    ("last_modified", { $0.lastModified }),
  ]

  /// The names of the columns, in order.
  public static var columnNames: [String] { columns.map(\.name) }

  /// Appends the header row.
  public func writeHeader(to bytes: inout [UInt8]) {
    write(Self.columnNames, to: &bytes)
  }

  /// Appends the row of a component.
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    let summary = ComponentSummary(of: component)
    write(Self.columns.map { $0.value(summary) ?? "" }, to: &bytes)
  }

  /// Appends a row of values: quoted where necessary, and ended by CRLF.
  public func write(_ values: [String], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(ASCII.comma) }
      write(value, to: &bytes)
    }
    bytes += [ASCII.carriageReturn, ASCII.lineFeed]
  }

  private func write(_ value: String, to bytes: inout [UInt8]) {
    let text = isSafeForSpreadsheets && Self.looksLikeFormula(value) ? "'" + value : value
    let needsQuotes =
      text.utf8.contains {
        [ASCII.comma, ASCII.quote, ASCII.carriageReturn, ASCII.lineFeed].contains($0)
      } || text.utf8.first == ASCII.space || text.utf8.last == ASCII.space
    guard needsQuotes else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    bytes.append(ASCII.quote)
    for byte in text.utf8 {
      if byte == ASCII.quote { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(ASCII.quote)
  }

  /// Whether a spreadsheet may evaluate a value as a formula.
  private static func looksLikeFormula(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), ASCII.tab,
      ASCII.carriageReturn:
      !areDurations(text)
    default: false
    }
  }

  /// Whether a value is a list of durations (RFC 5545 §3.3.6), which no spreadsheet evaluates.
  private static func areDurations(_ text: String) -> Bool {
    text.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { value in
      let body = value.drop { $0 == "-" || $0 == "+" }
      return body.first == "P" && body.count > value.count - 2
        && body.utf8.allSatisfy { "0123456789PTWDHMS".utf8.contains($0) }
    }
  }

  private static func list(_ values: [String]) -> String { values.joined(separator: ";") }
}
