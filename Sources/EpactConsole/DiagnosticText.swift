// SPDX-License-Identifier: Apache-2.0

import Epact
package import ICalSyntax

/// Formats a diagnostic as compilers do, escaped for a terminal.
package enum DiagnosticText {
  /// The diagnostic with its position, the source line with a caret, and optionally the fix.
  package static func of(
    _ diagnostic: Diagnostic, path: String, showsFix: Bool = false
  ) -> ConsoleText {
    let reference = diagnostic.reference.map { " (\($0))" } ?? ""
    var text: ConsoleText =
      "\("\(path):\(diagnostic.position):", .bold) \(severity(diagnostic.severity)) "
      + "\(diagnostic.message)\(reference)"
    if let excerpt = diagnostic.excerpt {
      text = "\(text)\n\(line(excerpt.text))\n\(excerpt.caretLine, .green)"
    }
    guard showsFix, let fix = diagnostic.fix else { return text }
    return "\(text)\n\(fix.isSafe ? "fix:" : "advice:", .green) \(fix.summary)"
  }

  private static func severity(_ severity: Diagnostic.Severity) -> ConsoleText {
    switch severity {
    case .error: "\("error:", .red)"
    case .warning: "\("warning:", .yellow)"
    case .note: "\("note:", .cyan)"
    }
  }

  /// The line with each unsafe character replaced by one character, so that the caret is aligned.
  private static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: SafeText.isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(SafeText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
    }
    return result
  }
}
