// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import EpactConsole
import Recurrence

/// Prints the explanation of a rule for `--explain`.
struct RuleExplainer {
  let expansion: RuleExpansion
  /// The language of the sentence.
  let language: any RuleLanguage
  let isJSON: Bool
  let console: Console

  /// Prints the sentence, the steps, and the verdict on each date.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  func explain(_ dates: [CivilDate]) throws(ExpansionError) {
    let explanation = try expansion.explanation()
    let sentence = expansion.describe(in: language)
    if isJSON {
      console.write(["rule": .string(expansion.rule.description), "sentence": .string(sentence)])
      for step in explanation.steps { console.write(step.json) }
      for date in dates { console.write(expansion.json(explanation.verdict(on: date))) }
    } else {
      console.show("\(sentence, .bold)")
      show(explanation.steps)
      for date in dates { show(explanation.verdict(on: date)) }
    }
  }

  private func show(_ steps: [RuleStep]) {
    let names = steps.map { DisplayWidth.of($0.part.rawValue) }.max() ?? 0
    let values = steps.map { DisplayWidth.of($0.value) }.max() ?? 0
    for step in steps {
      let name = DisplayWidth.padded(step.part.rawValue, to: names)
      var line = "  \(name)  \(step.value)"
      if let effect = step.effect {
        let value = DisplayWidth.padded(step.value, to: min(values, 24))
        line = "  \(name)  \(value)  \(effect)"
      }
      if step.isFromStart { line += ", from the start" }
      console.show("\(line)")
    }
  }

  private func show(_ verdict: RuleVerdict) {
    let day = "\(verdict.date) \(verdict.date.weekday)"
    guard verdict.isInstance else {
      console.show("\(day) \("no", .red): \(verdict.reason)")
      return
    }
    var text = number(verdict).map { "\($0): " } ?? ""
    text += verdict.instances.map(expansion.text).joined(separator: " ")
    if verdict.hasMore { text += " …" }
    console.show("\(day) \("yes", .green), \(text)")
  }

  private func number(_ verdict: RuleVerdict) -> String? {
    guard let number = verdict.number else { return nil }
    let last = number + verdict.instances.count - 1
    if verdict.hasMore { return "instances from number \(number) on" }
    return last == number ? "instance \(number)" : "instances \(number) to \(last)"
  }
}

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
