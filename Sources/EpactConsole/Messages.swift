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

/// A suggested command in a message, to be copied into a shell.
package struct SuggestedCommand: Hashable, Sendable {
  /// An option of a command.
  package struct Option: Hashable, Sendable {
    fileprivate let name: String
    fileprivate let value: String?

    /// Creates an option with a value, or a flag.
    package init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  private let words: [String]
  private let operands: [String]
  private let options: [Option]

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - words: The program and its subcommands.
  ///   - operands: The operands, which may begin with a hyphen.
  ///   - options: The options with their values; nil for a flag.
  package init(
    _ words: String..., operands: [String] = [], options: KeyValuePairs<String, String?> = [:]
  ) {
    self.words = words
    self.operands = operands
    self.options = options.map { Option($0.key, $0.value) }
  }

  /// The command line.
  ///
  /// - Parameter repeated: Further options, those of the current call that the suggested one needs,
  ///   too.
  /// - Returns: The command line, with words quoted for a shell.
  package func line(repeating repeated: [Option] = []) -> String {
    let choices = (options + repeated).flatMap { option in
      guard let value = option.value else { return [option.name] }
      // The parser would interpret a separate value with a leading hyphen as an option.
      return value.hasPrefix("-") ? ["\(option.name)=\(value)"] : [option.name, value]
    }
    let isHyphenated = operands.contains { $0.hasPrefix("-") && $0 != "-" }
    let rest = isHyphenated ? choices + ["--"] + operands : operands + choices
    return (words + rest.map { ShellWord($0).description }).joined(separator: " ")
  }
}
