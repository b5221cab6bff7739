// SPDX-License-Identifier: Apache-2.0

extension PropertyTable {
  /// The rules for one property.
  public struct Row: Hashable, Sendable {
    /// The name in upper case.
    public let name: String
    /// The type of its value without a VALUE parameter.
    public let valueType: ValueType
    /// The other types that a VALUE parameter may name.
    public let alternatives: [ValueType]
    /// Whether the first type is the default.
    ///
    /// If no RFC defines a default, the first type is assumed for a missing VALUE parameter, but
    /// the parameter is always written (RFC 7986 §5, RFC 9073 §6.5).
    public let hasDefaultType: Bool
    /// The separator of several values, or nil if there is always a single one.
    public let separator: Separator?
    /// The restriction of its values, or nil if any value of the type is allowed.
    public let limit: Limit?
    /// The components that must contain it exactly once.
    public let one: ComponentSet
    /// The components that may contain it at most once.
    public let upToOne: ComponentSet
    /// The components that may contain it any number of times.
    public let any: ComponentSet
    /// The section that defines it, such as `RFC 5545 §3.8.1.12`.
    public let reference: String

    /// Returns the allowed number of occurrences in a component, or nil if no RFC allows it there.
    public func occurrence(in component: ComponentSet) -> Occurrence? {
      if !one.isDisjoint(with: component) { return .one }
      if !upToOne.isDisjoint(with: component) { return .upToOne }
      return any.isDisjoint(with: component) ? nil : .any
    }
  }

  /// The separator of several values in one property.
  public enum Separator: Sendable {
    /// A list of equivalent values, as in CATEGORIES (RFC 5545 §3.1.1).
    case comma
    /// A structured value, as in GEO or REQUEST-STATUS.
    case semicolon
  }

  /// The allowed number of occurrences of a property in a component.
  public enum Occurrence: Sendable {
    /// Exactly once.
    case one
    /// At most once.
    case upToOne
    /// Any number of times.
    case any
  }

  /// A restriction of a property's values beyond their type.
  ///
  /// Words are listed only if the RFC allows no others. If it allows `x-name` and IANA tokens, any
  /// word is valid.
  public enum Limit: Hashable, Sendable {
    /// One of these uppercase words, in any case.
    case words([String])
    /// The STATUS values of the containing component (RFC 5545 §3.8.1.11).
    case states
    /// A number in a range.
    case numbers(ClosedRange<Int>)
    /// A duration that is not negative.
    case positive
    /// A latitude and a longitude (RFC 5545 §3.8.1.6).
    case coordinates
    /// Times in UTC, which end in Z.
    case utc

    /// A non-negative 32-bit integer (RFC 5545 §3.3.8).
    static var naturalNumber: Limit { .numbers(0...Int(Int32.max)) }
  }
}
