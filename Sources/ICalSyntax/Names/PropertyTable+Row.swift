// SPDX-License-Identifier: Apache-2.0

extension PropertyTable {
  /// What is known of one property.
  public struct Row: Hashable, Sendable {
    /// The name in upper case.
    public let name: String
    /// The type of its value where no VALUE parameter says otherwise.
    public let valueType: ValueType
    /// The other types that a VALUE parameter may name.
    public let alternatives: [ValueType]
    /// Whether a value without a VALUE parameter is of the first type; where no RFC gives a default, a
    /// missing parameter is taken for that type, but always written (RFC 7986 §5, RFC 9073 §6.5).
    public let hasDefaultType: Bool
    /// What separates several values in one property, or nil if there is always just one.
    public let separator: Separator?
    /// What its values are limited to, or nil if the type says everything.
    public let limit: Limit?
    /// The components in which it must stand, and once.
    public let one: ComponentSet
    /// The components in which it may stand, and once.
    public let upToOne: ComponentSet
    /// The components in which it may stand as often as it likes.
    public let any: ComponentSet
    /// The section that defines it, as `RFC 5545 §3.8.1.12`.
    public let reference: String

    /// How often the property stands in a component, or nil if no RFC puts it there.
    public func occurrence(in component: ComponentSet) -> Occurrence? {
      if !one.isDisjoint(with: component) { return .one }
      if !upToOne.isDisjoint(with: component) { return .upToOne }
      return any.isDisjoint(with: component) ? nil : .any
    }
  }

  /// What stands between several values in one property.
  public enum Separator: Sendable {
    /// A list of equals, as in CATEGORIES (RFC 5545 §3.1.1).
    case comma
    /// A structure, as in GEO or REQUEST-STATUS.
    case semicolon
  }

  /// How often a property stands in a component.
  public enum Occurrence: Sendable {
    /// Exactly once.
    case one
    /// Once or not at all.
    case upToOne
    /// Any number of times, or not at all.
    case any
  }

  /// What the values of a property are limited to where their type alone allows more.
  ///
  /// Words are listed only where the RFC allows no others; where it allows `x-name` and IANA tokens,
  /// any word may stand.
  public enum Limit: Hashable, Sendable {
    /// One of these words, in upper case here and in whatever case in a file.
    case words([String])
    /// The states of the component that it stands in (RFC 5545 §3.8.1.11).
    case states
    /// A number in this range.
    case numbers(ClosedRange<Int>)
    /// Not a negative duration.
    case positive
    /// A latitude and a longitude (RFC 5545 §3.8.1.6).
    case coordinates
    /// Times in UTC, which end in Z.
    case utc

    /// A number from 0 that 32 bits with a sign hold (RFC 5545 §3.3.8).
    static var naturalNumber: Limit { .numbers(0...Int(Int32.max)) }
  }
}
