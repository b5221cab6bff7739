// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Properties that tell of the writing and not of what is written: they never conflict, and changing
/// them is no edit.
package enum MergeBookkeeping: String, Hashable, Sendable, CaseIterable {
  /// The later of the two times in UTC.
  case latest
  /// The earlier of the two times in UTC.
  case earliest
  /// The greater of the two numbers.
  case greatest
  /// What the local version has.
  case kept

  /// The rule of each property, in the order of the article.
  package static let rules: [(name: PropertyName, rule: MergeBookkeeping)] = [
    (.dtStamp, .latest), (.lastModified, .latest), (.created, .earliest), (.sequence, .greatest),
    (.acknowledged, .latest), (.productID, .kept), ("X-MOZ-LASTACK", .latest),
    ("X-MOZ-GENERATION", .greatest),
  ]

  /// The rule of a property, or nil if it is no bookkeeping.
  package static func rule(for name: PropertyName) -> MergeBookkeeping? {
    rules.first { $0.name == name }?.rule
  }

  /// Whether the rule prefers the remote value to the local one.
  func prefersRemote(_ remote: Property, to local: Property) -> Bool {
    switch self {
    // Times in UTC are of one form: the order of their letters is the order of time.
    case .latest: remote.rawValue > local.rawValue
    case .earliest: remote.rawValue < local.rawValue
    case .greatest: Self.number(remote) > Self.number(local)
    case .kept: false
    }
  }

  /// The number that a property is, or 0 if it is none.
  static func number(_ property: Property) -> Int { Int(property.rawValue) ?? 0 }
}
