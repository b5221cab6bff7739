// SPDX-License-Identifier: Apache-2.0

/// A step of the expansion: a rule part and its effect.
///
/// Parts that the rule derives from its start are steps too (RFC 5545 §3.3.10).
public struct RuleStep: Hashable, Sendable {
  /// The part.
  public let part: RulePart
  /// The value in RRULE syntax.
  public let value: String
  /// The effect, or nil if it is not a BY part.
  public let effect: RuleEffect?
  /// Whether the value is derived from the start instead of the rule.
  public let isFromStart: Bool
}

extension RuleStep: CustomStringConvertible {
  /// The part in RRULE syntax, such as `BYDAY=-1FR`.
  public var description: String { "\(part.rawValue)=\(value)" }
}

extension RuleEffect: CustomStringConvertible {
  /// The effect in terms of the RFC: `limit`, `expand`, or `expand within each month`.
  public var description: String {
    switch self {
    case .limit: "limit"
    case .expand: "expand"
    case .specialExpand(.weekly): "expand within each week"
    case .specialExpand(.monthly): "expand within each month"
    case .specialExpand: "expand within each year"
    case .notApplicable: "ignored"
    }
  }
}
