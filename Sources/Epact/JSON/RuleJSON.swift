// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import Recurrence

extension RuleStep {
  /// A step in which a rule makes its instances.
  fileprivate var json: JSONValue {
    [
      "part": .string(part.rawValue), "value": .string(value),
      "effect": JSONValue(effect?.description), "fromStart": .bool(isFromStart),
    ]
  }
}

extension RuleExpansion {
  /// An instance of the rule: the local time, and the instant if the start has a zone.
  package func json(_ instance: RecurrenceInstance) -> JSONValue {
    let instant = instance.instant?.civil().map { "\($0)Z" }
    return .object(
      [.init("local", .string(text(of: instance.local)))]
        + (instant.map { [.init("instant", .string($0))] } ?? []))
  }

  /// The sentence of the rule, its steps and its verdicts on dates, an object each.
  ///
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  package func json(
    explaining dates: [CivilDate], in language: any RuleLanguage
  ) throws(ExpansionError) -> [JSONValue] {
    let explanation = try explanation()
    let sentence = describe(in: language)
    return [["rule": .string(rule.description), "sentence": .string(sentence)]]
      + explanation.steps.map(\.json) + dates.map { json(explanation.verdict(on: $0)) }
  }

  private func json(_ verdict: RuleVerdict) -> JSONValue {
    [
      "date": .string(verdict.date.description), "isInstance": .bool(verdict.isInstance),
      "number": JSONValue(verdict.number),
      "first": JSONValue(verdict.instances.first.map(text)),
      "reason": JSONValue(verdict.isInstance ? nil : verdict.reason),
    ]
  }
}

extension RuleVerdict {
  /// The reasons why the day has no instance.
  package var reason: String { reasons.map(\.description).joined(separator: "; ") }
}
