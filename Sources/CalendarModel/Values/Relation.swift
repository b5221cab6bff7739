// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A relation to another item (RFC 5545 §3.8.4.5).
public struct Relation: Hashable, Sendable {
  /// The identifier of the other item, usually its UID.
  public var target: String
  /// The role of the other item.
  public var type: RelationshipType
  /// The lead or lag time between the two items in a temporal relation (RFC 9253 §6.2).
  public var gap: CivilDuration?

  /// Creates a relation.
  public init(to target: String, type: RelationshipType = .parent, gap: CivilDuration? = nil) {
    self.target = target
    self.type = type
    self.gap = gap
  }
}
