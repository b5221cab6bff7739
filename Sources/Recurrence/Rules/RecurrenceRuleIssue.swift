// SPDX-License-Identifier: Apache-2.0

/// Something in the text of a recurrence rule that the RFC does not allow or advises against.
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

    /// There is no FREQ part, or none that can be read; there is no rule then.
    public static let missingFrequency = Code(kind: .missingFrequency)
    /// A part has no value, or no `=`.
    public static let malformedPart = Code(kind: .malformedPart)
    /// A value is not of the form that its part has.
    public static let malformedValue = Code(kind: .malformedValue)
    /// A number is not one of those that its part allows.
    public static let valueOutOfRange = Code(kind: .valueOutOfRange)
    /// No part has this name.
    public static let unknownPart = Code(kind: .unknownPart)
    /// A part is there twice.
    public static let duplicatePart = Code(kind: .duplicatePart)
    /// A semicolon is followed by nothing.
    public static let emptyPart = Code(kind: .emptyPart)
    /// A part, or the number of a weekday, must not be used with this frequency.
    public static let notApplicable = Code(kind: .notApplicable)
    /// Two parts must not be used together.
    public static let conflictingParts = Code(kind: .conflictingParts)
    /// A part needs another one that is not there.
    public static let missingPart = Code(kind: .missingPart)
    /// There are spaces between the parts.
    public static let whitespace = Code(kind: .whitespace)
    /// A part does not go with the type of the start.
    public static let wrongType = Code(kind: .wrongType)
    /// FREQ is not the first part, which old readers need it to be.
    public static let unusualOrder = Code(kind: .unusualOrder)
    /// Letters are in lower case, which the grammar allows and some readers do not.
    public static let lowerCase = Code(kind: .lowerCase)

    /// The name of the code.
    public var description: String { kind.rawValue }

    /// Whether the RFC forbids it.
    var isViolation: Bool { kind != .unusualOrder && kind != .lowerCase }
  }

  /// The kind of the issue.
  public let code: Code
  /// Where it is, in bytes from the start of the rule.
  public let offset: Int
  /// What should stand there.
  public let expected: String
  /// What stands there: the text in quotes, or `the end of the rule`.
  public let found: String
  /// The section of the RFC that says so.
  public let section: String

  init(_ code: Code, at offset: Int, expected: String, found: String, section: String) {
    self.code = code
    self.offset = offset
    self.expected = expected
    self.found = found
    self.section = section
  }

  /// Whether the RFC forbids it; if not, it is only advised against.
  public var isViolation: Bool { code.isViolation }

  /// The sentence for people, without the place.
  public var message: String { "expected \(expected), found \(found)" }
}

extension RecurrenceRuleIssue: CustomStringConvertible {
  /// The sentence for people and the section.
  public var description: String { "\(message) (\(section))" }
}
