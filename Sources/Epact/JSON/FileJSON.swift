// SPDX-License-Identifier: Apache-2.0

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
