// SPDX-License-Identifier: Apache-2.0

/// A parsed rule with its source text and the issues in it.
public struct RecurrenceRuleReading: Hashable, Sendable {
  /// The types of DTSTART, each of which requires another form of UNTIL.
  public enum StartType: Hashable, Sendable, CaseIterable {
    /// A date.
    case date
    /// A wall-clock time without a zone.
    case floating
    /// A time in UTC.
    case utc
    /// A wall-clock time in a zone.
    case zoned
    /// The start of an observance of a time zone (RFC 5545 §3.6.5).
    case observance
  }

  /// The rule.
  public let rule: RecurrenceRule
  /// The source text.
  public let source: String
  /// The issues in the text, ordered by offset; empty for a valid text.
  public let issues: [RecurrenceRuleIssue]
  /// The offsets of the parts' values, in bytes.
  private let offsets: [RulePart: Int]

  init(
    rule: RecurrenceRule, source: String, issues: [RecurrenceRuleIssue], offsets: [RulePart: Int]
  ) {
    self.rule = rule
    self.source = source
    self.issues = issues.sorted { $0.offset < $1.offset }
    self.offsets = offsets
  }

  /// Returns the parts of the rule that do not match the type of the start (RFC 5545 §3.3.10).
  ///
  /// UNTIL must be a date if the start is a date, a time without a zone if the start is floating,
  /// and a time in UTC otherwise. With a date as the start, hours, minutes and seconds must be
  /// ignored.
  ///
  /// - Parameter type: The type of DTSTART.
  /// - Returns: The issues, ordered by offset.
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

  /// The expected form of UNTIL, or nil if it matches the start.
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
