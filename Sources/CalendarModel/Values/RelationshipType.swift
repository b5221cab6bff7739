// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The role of another item in a relation (RFC 5545 §3.2.15).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct RelationshipType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// A parent of this item; the default.
  public static let parent = RelationshipType(rawValue: "PARENT")
  /// A child of this item.
  public static let child = RelationshipType(rawValue: "CHILD")
  /// A sibling of this item.
  public static let sibling = RelationshipType(rawValue: "SIBLING")
  /// The original alarm of a snooze alarm (RFC 9074 §7.1).
  public static let snooze = RelationshipType(rawValue: "SNOOZE")
  /// The other item starts after this item finishes (RFC 9253 §4.2).
  public static let finishToStart = RelationshipType(rawValue: "FINISHTOSTART")
  /// The other item finishes after this item finishes.
  public static let finishToFinish = RelationshipType(rawValue: "FINISHTOFINISH")
  /// The other item finishes after this item starts.
  public static let startToFinish = RelationshipType(rawValue: "STARTTOFINISH")
  /// The other item starts after this item starts.
  public static let startToStart = RelationshipType(rawValue: "STARTTOSTART")
  /// The first item of a series of items (RFC 9253 §4.3).
  public static let first = RelationshipType(rawValue: "FIRST")
  /// The next item of a series of items.
  public static let next = RelationshipType(rawValue: "NEXT")
  /// An item on which this item depends (RFC 9253 §4.4).
  public static let dependsOn = RelationshipType(rawValue: "DEPENDS-ON")
  /// The items with this REFID (RFC 9253 §4.5).
  public static let reference = RelationshipType(rawValue: "REFID")
  /// The items with this CONCEPT (RFC 9253 §4.5).
  public static let concept = RelationshipType(rawValue: "CONCEPT")
}
