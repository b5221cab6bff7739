// SPDX-License-Identifier: Apache-2.0

extension RecurrenceRule {
  /// Reads a rule that is written as the RFC says.
  ///
  /// Parts may be in any order and letters in either case.
  ///
  /// - Parameter text: The whole value of an RRULE property.
  /// - Throws: `RecurrenceRuleIssue`, the first thing in the text that the RFC forbids.
  public init(parsing text: String) throws(RecurrenceRuleIssue) {
    self = try RecurrenceRule(parsing: text.utf8.span)
  }

  /// Reads a rule that is written as the RFC says.
  ///
  /// - Parameter bytes: The whole value of an RRULE property.
  /// - Throws: `RecurrenceRuleIssue`, the first thing in the text that the RFC forbids.
  public init(parsing bytes: Span<UInt8>) throws(RecurrenceRuleIssue) {
    let reading = try RecurrenceRule.parse(leniently: bytes)
    if let issue = reading.issues.first(where: \.isViolation) { throw issue }
    self = reading.rule
  }

  /// Reads a rule as far as it can be understood, and says what is wrong with it.
  ///
  /// What is wrong is left out, or read as its writer must have meant it: of a part that is there
  /// twice the first counts, `0MO` is every Monday, an INTERVAL or COUNT of 0 is 1, and a part that
  /// the frequency does not allow is ignored. With both COUNT and UNTIL, whichever comes first ends
  /// the rule.
  ///
  /// - Parameter text: The whole value of an RRULE property.
  /// - Returns: The rule and the issues, ordered by their place; at most 50 of them.
  /// - Throws: `RecurrenceRuleIssue` if FREQ, UNTIL, COUNT, INTERVAL or RSCALE cannot be read:
  ///   without one of them nobody can tell when the rule repeats.
  public static func parse(
    leniently text: String
  ) throws(RecurrenceRuleIssue) -> RecurrenceRuleReading {
    try parse(leniently: text.utf8.span)
  }

  /// Reads a rule as far as it can be understood, and says what is wrong with it.
  ///
  /// - Parameter bytes: The whole value of an RRULE property.
  /// - Returns: The rule and the issues, ordered by their place; at most 50 of them.
  /// - Throws: `RecurrenceRuleIssue` if FREQ, UNTIL, COUNT, INTERVAL or RSCALE cannot be read.
  public static func parse(
    leniently bytes: Span<UInt8>
  ) throws(RecurrenceRuleIssue) -> RecurrenceRuleReading {
    var parser = RecurrenceRuleParser(bytes)
    return try parser.read()
  }
}
