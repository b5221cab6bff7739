// SPDX-License-Identifier: Apache-2.0

import Recurrence

/// The rule of a command line, and what is wrong with it.
struct RuleText {
  /// The text as it was typed.
  private let text: String
  /// How many bytes of it come before the rule.
  private let offset: Int

  /// Takes a rule, with or without the name of a property before it.
  init(_ text: String) {
    self.text = text
    let name = ["RRULE:", "EXRULE:"].first { text.uppercased().hasPrefix($0) }
    offset = name?.utf8.count ?? 0
  }

  /// Reads the rule; strictly, or as the rules of files are read, which may still be impossible.
  ///
  /// What is wrong is told on standard error, as of a file called `RRULE`.
  ///
  /// - Returns: The rule, or nil if it cannot be read.
  func read(leniently isLenient: Bool, on console: Console) -> RecurrenceRuleReading? {
    let bytes = Array(text.utf8.dropFirst(offset))
    do throws(RecurrenceRuleIssue) {
      let reading = try RecurrenceRule.parse(leniently: bytes.span)
      let violations = reading.issues.filter(\.isViolation)
      for issue in violations { report(issue, isError: !isLenient, on: console) }
      return isLenient || violations.isEmpty ? reading : nil
    } catch {
      report(error, isError: true, on: console)
      return nil
    }
  }

  /// Tells what is wrong, with the rule and a caret under the place.
  func report(_ issue: RecurrenceRuleIssue, isError: Bool, on console: Console) {
    let column = offset + issue.offset
    let severity: ConsoleText = isError ? "\("error:", .red)" : "\("warning:", .yellow)"
    let before = String(decoding: Array(text.utf8.prefix(column)), as: UTF8.self)
    let caret = String(repeating: " ", count: DisplayWidth.of(SafeText.escaped(before))) + "^"
    console.report(
      "\("RRULE:1:\(column + 1):", .bold) \(severity) \(issue)\n\(text)\n\(caret, .green)")
  }
}
