// SPDX-License-Identifier: Apache-2.0

// The coded form of a diagnostic is stable:
//
//   {"severity": "error", "code": "property.missing", "position": {"line": 2, "column": 1},
//    "message": "expected …, found …", "reference": "RFC 5545 §3.6.1",
//    "excerpt": {"text": "BEGIN:VEVENT", "caret": 0}, "fix": {"summary": "…", "isSafe": true}}
//
// `reference`, `excerpt` and `fix` are left out if there are none.

extension Diagnostic: Codable {
  private enum Key: String, CodingKey {
    case severity, code, position, message, reference, excerpt, fix
  }

  /// Reads a diagnostic.
  ///
  /// A decoded fix is advice, because the change of the file is not coded.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(Severity.self, forKey: .severity),
      DiagnosticCode(rawValue: try values.decode(String.self, forKey: .code)),
      at: try values.decode(SourcePosition.self, forKey: .position),
      try values.decode(String.self, forKey: .message),
      reference: try values.decodeIfPresent(String.self, forKey: .reference),
      excerpt: try values.decodeIfPresent(Excerpt.self, forKey: .excerpt),
      fix: try values.decodeIfPresent(Fix.self, forKey: .fix))
  }

  /// Writes the diagnostic as an object, with the summary of its fix.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(severity, forKey: .severity)
    try values.encode(code.rawValue, forKey: .code)
    try values.encode(position, forKey: .position)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(reference, forKey: .reference)
    try values.encodeIfPresent(excerpt, forKey: .excerpt)
    try values.encodeIfPresent(fix, forKey: .fix)
  }
}

extension Diagnostic.Severity: Codable {}

extension Fix: Codable {
  private enum Key: String, CodingKey {
    case summary, isSafe
  }

  /// Reads the summary of a fix, which is then advice.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(advice: try values.decode(String.self, forKey: .summary))
  }

  /// Writes the summary, and whether the fix is safe.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(summary, forKey: .summary)
    try values.encode(isSafe, forKey: .isSafe)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The position, the severity and the message, such as `2:1: error: expected a UID, found none`.
  public var description: String { "\(position): \(severity.rawValue): \(message)" }
}
