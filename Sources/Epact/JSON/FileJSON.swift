// SPDX-License-Identifier: Apache-2.0

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
