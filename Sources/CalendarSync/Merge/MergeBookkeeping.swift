// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Properties that describe the writing of an item instead of its contents.
///
/// They never conflict, and changing them is not an edit.
package enum MergeBookkeeping: String, Hashable, Sendable, CaseIterable {
  /// The later of the two times in UTC.
  case latest
  /// The earlier of the two times in UTC.
  case earliest
  /// The greater of the two numbers.
  case greatest
  /// The local value.
  case kept

  /// The rule of each property, in the order of the documentation.
  package static let rules: [(name: PropertyName, rule: MergeBookkeeping)] = [
    (.dtStamp, .latest), (.lastModified, .latest), (.created, .earliest), (.sequence, .greatest),
    (.acknowledged, .latest), (.productID, .kept), ("X-MOZ-LASTACK", .latest),
    ("X-MOZ-GENERATION", .greatest),
  ]

  /// The rule of a property, or nil if it is not a bookkeeping property.
  package static func rule(for name: PropertyName) -> MergeBookkeeping? {
    rules.first { $0.name == name }?.rule
  }

  /// Whether the rule prefers the remote value to the local one.
  func prefersRemote(_ remote: Property, to local: Property) -> Bool {
    switch self {
    // UTC times have a fixed format, so that their text order is their time order.
    case .latest: remote.rawValue > local.rawValue
    case .earliest: remote.rawValue < local.rawValue
    case .greatest: Self.number(remote) > Self.number(local)
    case .kept: false
    }
  }

  /// The number in a property, or 0 if it is not a number.
  static func number(_ property: Property) -> Int { Int(property.rawValue) ?? 0 }
}
