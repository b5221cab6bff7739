// SPDX-License-Identifier: Apache-2.0

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
