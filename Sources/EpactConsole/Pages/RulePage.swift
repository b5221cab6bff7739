// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import Epact
package import Recurrence

/// Shows the instances and the explanation of a rule.
package struct RulePage {
  /// The default number of shown instances of an endless rule.
  package static let endlessLimit = 100
  /// The default number of shown instances after an explanation.
  package static let explainedLimit = 10

  private let expansion: RuleExpansion

  /// Creates a page of a rule with a start and a range.
  package init(_ expansion: RuleExpansion) {
    self.expansion = expansion
  }

  /// Shows the instances.
  ///
  /// - Parameters:
  ///   - limit: The maximum number that the user stated; nil for the default.
  ///   - isExplained: Whether the instances follow an explanation.
  ///   - console: The console.
  ///   - asJSON: Whether the output is JSON.
  /// - Returns: The exit status.
  /// - Throws: `ExpansionError` if the rule's calendar system is not available;
  ///   `CancellationError` if the reader of the output is gone.
  package func list(
    limit: Int?, isExplained: Bool, on console: Console, asJSON: Bool
  ) throws -> ExitStatus {
    let usual =
      isExplained ? Self.explainedLimit : expansion.isEndless ? Self.endlessLimit : Int.max
    var instances = try expansion.instances()
    var (count, isCut) = (0, false)
    while let instance = instances.next() {
      guard count < limit ?? usual else {
        isCut = true
        break
      }
      count += 1
      if asJSON {
        console.write(expansion.json(instance))
      } else {
        console.show(line(of: instance))
      }
      guard !console.isBroken else { throw CancellationError() }
    }
    if isCut, limit == nil {
      console.note("Only the first \(count) are shown; use --to or --limit for more.")
    }
    guard !instances.isTruncated else {
      console.warn(
        "the search ended at its limit of \(expansion.options.searchLimit) tries; there may be "
          + "more instances"
      )
      return .someFailed
    }
    if count == 0 {
      let isImpossible = (try? expansion.explanation().isImpossible) ?? false
      console.note(
        isImpossible ? "The rule has no instances." : "There is no instance in this range.")
    }
    return .done
  }

  private func line(of instance: RecurrenceInstance) -> ConsoleText {
    let end = instance.instant?.civil().map { "  \($0)Z" } ?? ""
    return "\(expansion.text(of: instance.local)) \(instance.local.date.weekday)\(end)"
  }

  /// The lines of an explanation: the sentence, the steps, and the verdict on each date.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  package func lines(
    explaining dates: [CivilDate], in language: any RuleLanguage
  ) throws(ExpansionError) -> [ConsoleText] {
    let explanation = try expansion.explanation()
    return ["\(expansion.describe(in: language), .bold)"] + lines(of: explanation.steps)
      + dates.map { line(of: explanation.verdict(on: $0)) }
  }

  private func lines(of steps: [RuleStep]) -> [ConsoleText] {
    let names = steps.map { DisplayWidth.of($0.part.rawValue) }.max() ?? 0
    let values = steps.map { DisplayWidth.of($0.value) }.max() ?? 0
    return steps.map { step in
      var value = step.value
      if let effect = step.effect {
        value = "\(DisplayWidth.padded(value, to: min(values, 24)))  \(effect)"
      }
      let suffix = step.isFromStart ? ", from the start" : ""
      return "  \(DisplayWidth.padded(step.part.rawValue, to: names))  \(value)\(suffix)"
    }
  }

  private func line(of verdict: RuleVerdict) -> ConsoleText {
    let day = "\(verdict.date) \(verdict.date.weekday)"
    guard verdict.isInstance else { return "\(day) \("no", .red): \(verdict.reason)" }
    let number = Self.number(verdict).map { "\($0): " } ?? ""
    let times = verdict.instances.map(expansion.text).joined(separator: " ")
    return "\(day) \("yes", .green), \(number)\(times)\(verdict.hasMore ? " …" : "")"
  }

  private static func number(_ verdict: RuleVerdict) -> String? {
    guard let number = verdict.number else { return nil }
    let last = number + verdict.instances.count - 1
    if verdict.hasMore { return "instances from number \(number) on" }
    return last == number ? "instance \(number)" : "instances \(number) to \(last)"
  }
}

/// A rule as the user wrote it, with an optional property name in front.
package struct RuleText {
  private let text: String
  /// The number of bytes before the rule.
  private let offset: Int

  package init(_ text: String) {
    self.text = text
    let name = ["RRULE:", "EXRULE:"].first { text.uppercased().hasPrefix($0) }
    offset = name?.utf8.count ?? 0
  }

  /// Parses the rule, strictly or as leniently as rules in files.
  ///
  /// - Returns: The rule, or nil if it is invalid, and the lines about its problems.
  package func read(leniently isLenient: Bool) -> (RecurrenceRuleReading?, [ConsoleText]) {
    let bytes = Array(text.utf8.dropFirst(offset))
    do throws(RecurrenceRuleIssue) {
      let reading = try RecurrenceRule.parse(leniently: bytes.span)
      let violations = reading.issues.filter(\.isViolation)
      return (
        isLenient || violations.isEmpty ? reading : nil,
        violations.map { line(about: $0, isError: !isLenient) }
      )
    } catch {
      return (nil, [line(about: error, isError: true)])
    }
  }

  /// A problem with the rule and a caret under the position; `RRULE` is the file name.
  package func line(about issue: RecurrenceRuleIssue, isError: Bool) -> ConsoleText {
    let column = offset + issue.offset
    let severity: ConsoleText = isError ? "\("error:", .red)" : "\("warning:", .yellow)"
    let before = String(decoding: Array(text.utf8.prefix(column)), as: UTF8.self)
    let caret = String(repeating: " ", count: DisplayWidth.of(SafeText.escaped(before))) + "^"
    return "\("RRULE:1:\(column + 1):", .bold) \(severity) \(issue)\n\(text)\n\(caret, .green)"
  }
}
