// SPDX-License-Identifier: Apache-2.0

/// A rule together with the text it was read from and what is wrong with that text.
public struct RecurrenceRuleReading: Hashable, Sendable {
  /// The types that the start of a repetition can have, each with an UNTIL of its own.
  public enum StartType: Hashable, Sendable, CaseIterable {
    /// A day.
    case date
    /// A time on the wall clock, with no zone.
    case floating
    /// A time in UTC.
    case utc
    /// A time on the wall clock of a zone.
    case zoned
    /// The start of an observance of a time zone (RFC 5545 §3.6.5).
    case observance
  }

  /// The rule.
  public let rule: RecurrenceRule
  /// The text as it was written.
  public let source: String
  /// What is wrong with the text, ordered by place; empty for a text that is as the RFC wants it.
  public let issues: [RecurrenceRuleIssue]
  /// Where the values of the parts start, in bytes.
  private let offsets: [RulePart: Int]

  init(
    rule: RecurrenceRule, source: String, issues: [RecurrenceRuleIssue], offsets: [RulePart: Int]
  ) {
    self.rule = rule
    self.source = source
    self.issues = issues.sorted { $0.offset < $1.offset }
    self.offsets = offsets
  }

  /// What in the rule does not go with the type of the start (RFC 5545 §3.3.10).
  ///
  /// The UNTIL part has to be a date if the start is one, a time without a zone if the start has
  /// none, and otherwise a time in UTC. Hours, minutes and seconds do not go with a date, and have to
  /// be ignored then.
  ///
  /// - Parameter type: The type of DTSTART.
  /// - Returns: The issues, ordered by place.
  public func issues(forStart type: StartType) -> [RecurrenceRuleIssue] {
    var found: [RecurrenceRuleIssue] = []
    if let until = rule.until, let expected = expectation(of: until, forStart: type) {
      found.append(issue(.until, expected: expected, found: until.description))
    }
    guard type == .date else { return found }
    for (part, values) in [
      (RulePart.bySecond, rule.bySecond), (.byMinute, rule.byMinute), (.byHour, rule.byHour),
    ] where !values.isEmpty {
      let text = values.map(String.init).joined(separator: ",")
      found.append(
        issue(part, expected: "no \(part.rawValue), because the start is a date", found: text))
    }
    return found.sorted { $0.offset < $1.offset }
  }

  /// What UNTIL should be instead, or nil if it goes with the start.
  private func expectation(
    of until: RecurrenceRule.Until, forStart type: StartType
  ) -> String? {
    switch (type, until) {
    case (.date, .date), (.floating, .local), (.utc, .utc), (.zoned, .utc), (.observance, .utc):
      nil
    case (.date, _): "a date, because the start is one"
    case (.floating, _): "a time without a zone, because the start has none"
    case (.utc, _): "a time in UTC, because the start is one"
    case (.zoned, _): "a time in UTC, because the start has a zone"
    case (.observance, _): "a time in UTC, because the rule is a zone's"
    }
  }

  private func issue(
    _ part: RulePart, expected: String, found: String
  ) -> RecurrenceRuleIssue {
    RecurrenceRuleIssue(
      .wrongType, at: offsets[part] ?? 0, expected: expected, found: "\"\(found)\"",
      section: "RFC 5545 §3.3.10")
  }
}
