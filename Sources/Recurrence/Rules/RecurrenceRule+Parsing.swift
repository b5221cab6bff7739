// SPDX-License-Identifier: Apache-2.0

extension RecurrenceRule {
  /// Parses a rule strictly (RFC 5545 §3.3.10).
  ///
  /// Parts may be in any order, and letters in either case.
  ///
  /// - Parameter text: The whole value of an RRULE property.
  /// - Throws: The first `RecurrenceRuleIssue` in the text that the RFC forbids.
  public init(parsing text: String) throws(RecurrenceRuleIssue) {
    self = try RecurrenceRule(parsing: text.utf8.span)
  }

  /// Parses a rule strictly (RFC 5545 §3.3.10).
  ///
  /// - Parameter bytes: The whole value of an RRULE property.
  /// - Throws: The first `RecurrenceRuleIssue` in the text that the RFC forbids.
  public init(parsing bytes: Span<UInt8>) throws(RecurrenceRuleIssue) {
    let reading = try RecurrenceRule.parse(leniently: bytes)
    if let issue = reading.issues.first(where: \.isViolation) { throw issue }
    self = reading.rule
  }

  /// Parses a rule leniently and reports the issues in it.
  ///
  /// Invalid parts are ignored or corrected to the probable intention:
  /// - Of duplicate parts, the first counts.
  /// - `0MO` means every Monday.
  /// - An INTERVAL or COUNT of 0 is read as 1.
  /// - A part that the frequency does not allow is ignored.
  /// - With both COUNT and UNTIL, the rule ends at the earlier one.
  ///
  /// - Parameter text: The whole value of an RRULE property.
  /// - Returns: The rule and the issues, ordered by offset; at most 50 of them.
  /// - Throws: `RecurrenceRuleIssue` if FREQ, UNTIL, COUNT, INTERVAL or RSCALE is invalid, because
  ///   the instances cannot be determined then.
  public static func parse(
    leniently text: String
  ) throws(RecurrenceRuleIssue) -> RecurrenceRuleReading {
    try parse(leniently: text.utf8.span)
  }

  /// Parses a rule leniently and reports the issues in it.
  ///
  /// - Parameter bytes: The whole value of an RRULE property.
  /// - Returns: The rule and the issues, ordered by offset; at most 50 of them.
  /// - Throws: `RecurrenceRuleIssue` if FREQ, UNTIL, COUNT, INTERVAL or RSCALE is invalid.
  public static func parse(
    leniently bytes: Span<UInt8>
  ) throws(RecurrenceRuleIssue) -> RecurrenceRuleReading {
    var parser = RecurrenceRuleParser(bytes)
    return try parser.read()
  }
}
