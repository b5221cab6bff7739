// SPDX-License-Identifier: Apache-2.0

/// Something worth saying about a place in a file: what is wrong there, or what was made of it.
///
/// Bad data is not exceptional: reading yields components and diagnostics side by side.
public struct Diagnostic: Hashable, Sendable {
  /// How grave a diagnostic is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file breaks a rule, and something in it cannot be used as it was meant.
    case error
    /// The file breaks a rule, but what it means is clear.
    case warning
    /// Nothing is wrong, but a person may want to know.
    case note
  }

  /// How grave it is.
  public let severity: Severity
  /// What it is about, for programs; the codes are stable.
  public let code: DiagnosticCode
  /// Where it is.
  public let position: SourcePosition
  /// What was expected and what was found, for people: lower case, without a full stop.
  public let message: String
  /// The section that states the rule, as `RFC 5545 §3.1`, or nil where no RFC does.
  public let reference: String?
  /// The physical line that `position` is in, cut to a width that can be shown.
  public let excerpt: Excerpt?
  /// What would mend it, or nil if that is not known.
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

  /// The same diagnostic with something that would mend it.
  package func with(_ fix: Fix?) -> Diagnostic {
    var diagnostic = self
    diagnostic.fix = fix
    return diagnostic
  }

  /// Whether the stream is not whole: nobody can tell which property belongs to which component.
  package var isStructural: Bool {
    let codes: [DiagnosticCode] = [
      .missingEnd, .unexpectedEnd, .misplacedComponent, .strayProperty,
    ]
    return severity == .error && codes.contains(code)
  }

  /// The diagnostic as compilers print it: `path:line:column: error: message (RFC 5545 §3.1)`,
  /// then the line and a caret under the column, and what would mend it.
  public func formatted(path: String) -> String {
    let place = "\(path):\(position): \(severity.rawValue): \(message)"
    let head = reference.map { "\(place) (\($0))" } ?? place
    var lines = [head]
    if let excerpt { lines += [excerpt.text, excerpt.caretLine] }
    if let fix { lines.append("\(fix.isSafe ? "fix" : "advice"): \(fix.summary)") }
    return lines.joined(separator: "\n")
  }
}
