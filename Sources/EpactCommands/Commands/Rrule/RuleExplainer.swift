// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import Recurrence

/// Prints the explanation of a rule for `--explain`.
struct RuleExplainer {
  let request: RuleRequest
  let isJSON: Bool
  let console: Console

  /// Prints the sentence, the steps, and the verdict on each date.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  func explain(_ dates: [CivilDate]) throws(ExpansionError) {
    let explanation = try RuleExplanation(
      of: request.rule, from: request.start, clock: request.clock, options: request.options)
    let sentence = request.rule.describe()
    if isJSON {
      console.write(["rule": .string(request.rule.description), "sentence": .string(sentence)])
      for step in explanation.steps { console.write(json(step)) }
      for date in dates { console.write(json(explanation.verdict(on: date))) }
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
      let reasons = verdict.reasons.map(\.description).joined(separator: "; ")
      console.show("\(day) \("no", .red): \(reasons)")
      return
    }
    var text = number(verdict).map { "\($0): " } ?? ""
    text += verdict.instances.map(request.text).joined(separator: " ")
    if verdict.hasMore { text += " …" }
    console.show("\(day) \("yes", .green), \(text)")
  }

  private func number(_ verdict: RuleVerdict) -> String? {
    guard let number = verdict.number else { return nil }
    let last = number + verdict.instances.count - 1
    if verdict.hasMore { return "instances from number \(number) on" }
    return last == number ? "instance \(number)" : "instances \(number) to \(last)"
  }

  private func json(_ step: RuleStep) -> JSONValue {
    [
      "part": .string(step.part.rawValue), "value": .string(step.value),
      "effect": JSONValue(step.effect?.description), "fromStart": .bool(step.isFromStart),
    ]
  }

  private func json(_ verdict: RuleVerdict) -> JSONValue {
    [
      "date": .string(verdict.date.description), "isInstance": .bool(verdict.isInstance),
      "number": verdict.number.map { .integer($0) } ?? .null,
      "first": JSONValue(verdict.instances.first.map(request.text)),
      "reason": JSONValue(
        verdict.isInstance
          ? nil : verdict.reasons.map(\.description).joined(separator: "; ")),
    ]
  }
}
