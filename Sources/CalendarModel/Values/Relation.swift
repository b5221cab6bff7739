// SPDX-License-Identifier: Apache-2.0

/// How an item relates to another one (RFC 5545 §3.8.4.5).
public struct Relation: Hashable, Sendable {
  /// The identifier of the other item, nearly always its UID.
  public var target: String
  /// What the other item is to this one.
  public var type: RelationshipType

  /// Creates a relation.
  public init(to target: String, type: RelationshipType = .parent) {
    self.target = target
    self.type = type
  }
}
