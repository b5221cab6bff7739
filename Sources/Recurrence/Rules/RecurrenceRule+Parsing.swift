// SPDX-License-Identifier: Apache-2.0

extension RecurrenceRule {
  /// Parses a rule strictly (RFC 5545 §3.3.10).
  ///
  /// Parts may be in any order, and letters in either case. The name of the property, as in
  /// `RRULE:FREQ=DAILY`, may precede the value. ``RecurrenceSet/init(parsing:zones:options:)`` reads
  /// a rule with its DTSTART.
  ///
  /// - Parameter text: The whole value of an RRULE property, or the property.
  /// - Throws: The first `RecurrenceRuleIssue` in the text that the RFC forbids.
  public init(parsing text: String) throws(RecurrenceRuleIssue) {
    let name = "RRULE:"
    let isProperty = text.prefix(name.count).uppercased() == name
    let value = isProperty ? String(text.dropFirst(name.count)) : text
    self = try RecurrenceRule(parsing: value.utf8.span)
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

/// An issue in a recurrence rule that the RFC forbids or advises against.
///
/// ```text
/// expected a month from 1 through 12, found "13" (RFC 5545 §3.3.10)
/// ```
public struct RecurrenceRuleIssue: Error, Hashable, Sendable {
  /// The kind of an issue, for programs.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case missingFrequency, malformedPart, malformedValue, valueOutOfRange, unknownPart
      case duplicatePart, emptyPart, notApplicable, conflictingParts, missingPart, whitespace
      case wrongType, unusualOrder, lowerCase
    }

    private let kind: Kind

    /// The FREQ part is missing or invalid, so there is no rule.
    public static let missingFrequency = Code(kind: .missingFrequency)
    /// A part has no value or no `=`.
    public static let malformedPart = Code(kind: .malformedPart)
    /// A value does not match the syntax of its part.
    public static let malformedValue = Code(kind: .malformedValue)
    /// A number is outside the range of its part.
    public static let valueOutOfRange = Code(kind: .valueOutOfRange)
    /// No part has this name.
    public static let unknownPart = Code(kind: .unknownPart)
    /// A part occurs twice.
    public static let duplicatePart = Code(kind: .duplicatePart)
    /// A part is empty: nothing follows a semicolon.
    public static let emptyPart = Code(kind: .emptyPart)
    /// The frequency does not allow a part or the ordinal of a weekday.
    public static let notApplicable = Code(kind: .notApplicable)
    /// Two parts must not be used together.
    public static let conflictingParts = Code(kind: .conflictingParts)
    /// A part requires another one that is missing.
    public static let missingPart = Code(kind: .missingPart)
    /// The rule contains whitespace between the parts.
    public static let whitespace = Code(kind: .whitespace)
    /// A part does not match the type of the start.
    public static let wrongType = Code(kind: .wrongType)
    /// FREQ is not the first part, as older readers require.
    public static let unusualOrder = Code(kind: .unusualOrder)
    /// Letters are in lower case, which the grammar allows but some readers reject.
    public static let lowerCase = Code(kind: .lowerCase)

    /// The name of the code.
    public var description: String { kind.rawValue }

    /// Whether the RFC forbids this.
    var isViolation: Bool { kind != .unusualOrder && kind != .lowerCase }
  }

  /// The kind of the issue.
  public let code: Code
  /// The offset, in bytes from the start of the rule.
  public let offset: Int
  /// The expected text.
  public let expected: String
  /// The text that was found, in quotes, or `the end of the rule`.
  public let found: String
  /// The section that defines the syntax.
  public let section: String

  init(_ code: Code, at offset: Int, expected: String, found: String, section: String) {
    self.code = code
    self.offset = offset
    self.expected = expected
    self.found = found
    self.section = section
  }

  /// Whether the RFC forbids this instead of only advising against it.
  public var isViolation: Bool { code.isViolation }

  /// The message without the offset and the section.
  public var message: String { "expected \(expected), found \(found)" }
}

extension RecurrenceRuleIssue: CustomStringConvertible {
  /// The message with the section in parentheses.
  public var description: String { "\(message) (\(section))" }
}
