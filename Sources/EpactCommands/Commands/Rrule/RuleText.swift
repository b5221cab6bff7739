// SPDX-License-Identifier: Apache-2.0

import Epact
import Recurrence

/// A rule from the command line, with error reporting.
struct RuleText {
  /// The original text.
  private let text: String
  /// The number of bytes before the rule.
  private let offset: Int

  /// Takes a rule, with an optional property name in front.
  init(_ text: String) {
    self.text = text
    let name = ["RRULE:", "EXRULE:"].first { text.uppercased().hasPrefix($0) }
    offset = name?.utf8.count ?? 0
  }

  /// Parses the rule, strictly or as leniently as rules in files.
  ///
  /// Problems are reported on standard error, with `RRULE` as the file name.
  ///
  /// - Returns: The rule, or nil if it is invalid.
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

  /// Reports a problem, with the rule and a caret under the position.
  func report(_ issue: RecurrenceRuleIssue, isError: Bool, on console: Console) {
    let column = offset + issue.offset
    let severity: ConsoleText = isError ? "\("error:", .red)" : "\("warning:", .yellow)"
    let before = String(decoding: Array(text.utf8.prefix(column)), as: UTF8.self)
    let caret = String(repeating: " ", count: DisplayWidth.of(SafeText.escaped(before))) + "^"
    console.report(
      "\("RRULE:1:\(column + 1):", .bold) \(severity) \(issue)\n\(text)\n\(caret, .green)")
  }
}
