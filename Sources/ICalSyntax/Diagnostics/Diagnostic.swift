// SPDX-License-Identifier: Apache-2.0

/// An error, warning or note about a position in a file.
///
/// Reading a file with errors does not throw; it returns components together with diagnostics.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file violates a rule, and a part of it cannot be used as intended.
    case error
    /// The file violates a rule, but its meaning is clear.
    case warning
    /// The file is valid, but the information may be useful.
    case note
  }

  /// The severity.
  public let severity: Severity
  /// The code for programs; codes are stable.
  public let code: DiagnosticCode
  /// The position in the file.
  public let position: SourcePosition
  /// The message for people, such as `expected X, found Y`: lower case, without a full stop.
  public let message: String
  /// The section that states the rule, such as `RFC 5545 §3.1`, or nil if no RFC does.
  public let reference: String?
  /// The physical line at `position`, truncated for display.
  public let excerpt: Excerpt?
  /// A fix, or nil if none is known.
  public package(set) var fix: Fix?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity, _ code: DiagnosticCode, at position: SourcePosition, _ message: String,
    reference: String? = nil, excerpt: Excerpt? = nil, fix: Fix? = nil
  ) {
    self.severity = severity
    self.code = code
    self.position = position
    self.message = message
    self.reference = reference
    self.excerpt = excerpt
    self.fix = fix
  }

  /// Returns the same diagnostic with a fix.
  package func with(_ fix: Fix?) -> Diagnostic {
    var diagnostic = self
    diagnostic.fix = fix
    return diagnostic
  }

  /// Whether the structure is broken, so that properties may belong to the wrong component.
  package var isStructural: Bool {
    let codes: [DiagnosticCode] = [
      .missingEnd, .unexpectedEnd, .misplacedComponent, .strayProperty,
    ]
    return severity == .error && codes.contains(code)
  }

  /// Formats the diagnostic like a compiler.
  ///
  /// The first line is `path:line:column: error: message (RFC 5545 §3.1)`. The excerpt, a line with
  /// a caret under the column, and the fix follow.
  public func formatted(path: String) -> String {
    let place = "\(path):\(position): \(severity.rawValue): \(message)"
    let head = reference.map { "\(place) (\($0))" } ?? place
    var lines = [head]
    if let excerpt { lines += [excerpt.text, excerpt.caretLine] }
    if let fix { lines.append("\(fix.isSafe ? "fix" : "advice"): \(fix.summary)") }
    return lines.joined(separator: "\n")
  }
}
