// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import CalendarModel
package import ICalSyntax

extension JSONValue {
  /// A diagnostic of a file.
  package init(_ diagnostic: Diagnostic, path: String) {
    self = [
      "file": .string(path), "line": .integer(diagnostic.position.line),
      "column": .integer(diagnostic.position.column),
      "severity": .string(diagnostic.severity.rawValue),
      "code": .string(diagnostic.code.rawValue), "message": .string(diagnostic.message),
      "reference": JSONValue(diagnostic.reference),
      "fix": JSONValue(diagnostic.fix.flatMap { $0.isSafe ? $0.summary : nil }),
      "advice": JSONValue(diagnostic.fix.flatMap { $0.isSafe ? nil : $0.summary }),
    ]
  }
}

extension FileEvent {
  /// The event with the members of a diagnostic; without a position, `line` and `column` are null.
  package var json: JSONValue {
    switch self {
    case .diagnostic(let path, let diagnostic): JSONValue(diagnostic, path: path)
    case .unreadable(let path, _): problem("error", "file.unreadable", path)
    case .invalidPath(let list, let line, _): problem("error", "list.path", list, line: line)
    case .notCalendar(let path): problem("error", "file.not-calendar", path)
    case .omittedLines(let path, _): problem("warning", "file.omitted-lines", path)
    case .decoded(let path, _): problem("note", "file.charset", path)
    case .moreDiagnostics(let path, _): problem("note", "file.more-diagnostics", path)
    case .otherEntries(let path, _): problem("note", "file.other-entries", path)
    }
  }

  private func problem(
    _ severity: String, _ code: String, _ path: String, line: Int? = nil
  ) -> JSONValue {
    .problem(severity, code, words, file: path, line: line)
  }

  /// The event in words, without the file: in lower case, without a full stop.
  package var words: String {
    switch self {
    case .diagnostic(_, let diagnostic): diagnostic.message
    case .unreadable(_, let reason), .invalidPath(_, _, let reason): reason
    case .notCalendar: "not a calendar"
    case .omittedLines(_, let count):
      "\(Count(count, "line")) omitted, which the format cannot represent"
    case .decoded(_, let charset): "read as \(charset)"
    case .moreDiagnostics(_, let count): "\(Count(count, "more diagnostic"))"
    case .otherEntries(_, let count):
      "skip \(Count(count, "entry", plural: "entries")) without a calendar"
    }
  }
}

extension JSONValue {
  /// A problem without a position, with the members of a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: `error`, `warning` or `note`.
  ///   - code: The kind of problem.
  ///   - message: The text.
  ///   - file: The file; nil if the problem is about none.
  ///   - line: The line in the file.
  /// - Returns: An object.
  package static func problem(
    _ severity: String, _ code: String, _ message: String, file: String? = nil, line: Int? = nil
  ) -> JSONValue {
    [
      "file": JSONValue(file), "line": JSONValue(line), "column": .null,
      "severity": .string(severity), "code": .string(code), "message": .string(message),
      "reference": .null, "fix": .null, "advice": .null,
    ]
  }
}

extension ImportedItem {
  /// The item and its outcome, with the concerns that the user can confirm.
  package var json: JSONValue {
    let members: [JSONValue.Member] = [
      .init("outcome", .string(outcome.rawValue)), .init("uid", .string(uid.rawValue)),
      .init("title", .string(title)), .init("reason", JSONValue(reason)),
    ]
    guard !concerns.isEmpty else { return .object(members) }
    return .object(members + [.init("concerns", .array(concerns.map(\.json)))])
  }
}

extension ImportSummary {
  /// The number of items with each outcome.
  package var members: [JSONValue.Member] {
    ImportOutcome.allCases.map { .init($0.rawValue, .integer(self[$0])) }
      + [.init("unreadFiles", .integer(unreadCount))]
  }
}

extension ParseCounts {
  /// The sizes of the contents.
  package var members: [JSONValue.Member] {
    [
      .init("bytes", .integer(bytes)), .init("calendars", .integer(calendars)),
      .init("components", .integer(components)), .init("properties", .integer(properties)),
      .init("diagnostics", .integer(diagnostics)),
    ]
  }
}

extension ParsingBenchmark.Figure {
  /// The measurement, with the speed for a number of bytes.
  package func json(bytes: Int) -> JSONValue {
    [
      "work": .string(work.rawValue), "summary": .string(work.summary),
      "passesPerRun": .integer(passes),
      "secondsPerPass": .array(seconds.map { .number($0) }),
      "medianSeconds": .number(median),
      "megabytesPerSecond": .number(Double(bytes) / 1e6 / median),
    ]
  }
}
