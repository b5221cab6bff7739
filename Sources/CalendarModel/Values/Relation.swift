// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// How an item relates to another one (RFC 5545 §3.8.4.5).
public struct Relation: Hashable, Sendable {
  /// The identifier of the other item, nearly always its UID.
  public var target: String
  /// What the other item is to this one.
  public var type: RelationshipType
  /// The time that lies between the two, where their order matters (RFC 9253 §6.2).
  public var gap: CivilDuration?

  /// Creates a relation.
  public init(to target: String, type: RelationshipType = .parent, gap: CivilDuration? = nil) {
    self.target = target
    self.type = type
    self.gap = gap
  }
}
