// SPDX-License-Identifier: Apache-2.0

/// A step in which the times of a rule are made: a part, and what it does to them.
///
/// Parts that a rule leaves out are steps too, if they are taken from its start (RFC 5545 §3.3.10).
public struct RuleStep: Hashable, Sendable {
  /// The part.
  public let part: RulePart
  /// Its value, as a rule would have it.
  public let value: String
  /// What it does; nil if it is not one of those that start with BY.
  public let effect: RuleEffect?
  /// Whether the rule leaves the part out, so that it is taken from the start.
  public let isFromStart: Bool
}

extension RuleStep: CustomStringConvertible {
  /// The part as a rule has it, such as `BYDAY=-1FR`.
  public var description: String { "\(part.rawValue)=\(value)" }
}

extension RuleEffect: CustomStringConvertible {
  /// The words of the RFC's table: `limit`, `expand`, or `expand within each month`.
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
